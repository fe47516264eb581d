// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include "comm/socket.h"

namespace dlperf::worker {

// Keys and values for the rendezvous, and the heartbeats' server. Rank 0 serves it on a thread.
//
// The port is open to the network, so a client must greet first, and what it may send and make this keep is
// bounded. Protocol: the greeting; then requests of one letter and two fields, each four bytes of length
// (little-endian) and the bytes.
//   'S' key value   stores;
//   'G' key ""      is answered by one field, the value, as soon as there is one.
// A connection that begins with 'M' is that of a living rank instead. It is answered by one letter and one
// field at a time:
//   'M' rank ""     joins; answered 'A' "". A rank can be there once.
//   'B' "" ""       heartbeat; answered 'A' "".
//   'F' "" reason   the rank ends, and why;
//   'L' "" ""       the rank ends as it should. After both the server ends the connection.
// Where a client of another build greets, or a rank fails, ends its connection otherwise or sends no
// heartbeat for `silence`, all ranks are sent 'N' sentence, once. 'Q' "": rank 0 leaves, and sends no more
// answers.
class TcpStoreServer {
public:
    // Once `ranks` ranks have joined, clients of other builds are strangers as any other.
    explicit TcpStoreServer(FileDescriptor listener,
                            std::chrono::milliseconds silence = std::chrono::seconds(30),
                            int ranks = std::numeric_limits<int>::max());
    // Takes up to two seconds to deliver the last messages.
    ~TcpStoreServer();

private:
    FileDescriptor wakeUp_;
    std::jthread thread_;
};

// One process's connection to the table. Used from one thread.
class TcpStoreClient {
public:
    // Throws Failure(Rendezvous) where the server cannot be reached before the deadline.
    TcpStoreClient(const std::string& address, std::uint16_t port, Deadline deadline);

    void set(const std::string& key, const std::string& value, Deadline deadline);
    // Waits for the key. Throws Failure(Rendezvous); then, as the answer may still come and would be taken
    // for the next one's, for every later key, too. Throws Failure(Communication) as soon as `lost`, if any,
    // returns a reason.
    std::string get(const std::string& key, Deadline deadline,
                    const std::function<std::optional<std::string>()>& lost = {});

private:
    FileDescriptor socket_;
    bool unanswered_ = false;
};

}  // namespace dlperf::worker
