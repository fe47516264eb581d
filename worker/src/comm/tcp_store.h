// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "comm/socket.h"

namespace dlperf::worker {

/// A table of keys and values that all processes of a world can reach while they meet. Rank 0 serves it on a
/// thread of its own until this is destroyed.
///
/// The port is open to the network, so a client must greet first, and what it may send is bounded. Protocol:
/// the greeting; then requests of one letter and two fields, each four bytes of length (little-endian) and
/// the bytes: 'S' key value stores; 'G' key "" is answered by one field, the value, as soon as there is one.
class TcpStoreServer {
public:
    explicit TcpStoreServer(FileDescriptor listener);
    ~TcpStoreServer();
    TcpStoreServer(const TcpStoreServer&) = delete;
    TcpStoreServer& operator=(const TcpStoreServer&) = delete;

private:
    FileDescriptor wakeUp_;
    std::jthread thread_;
};

/// One process's connection to the table. Used from one thread.
class TcpStoreClient {
public:
    /// Throws Failure(Rendezvous) where the server cannot be reached before the deadline.
    TcpStoreClient(const std::string& address, std::uint16_t port, Deadline deadline);

    void set(const std::string& key, const std::string& value, Deadline deadline);
    /// Waits for the key. Throws Failure(Rendezvous).
    std::string get(const std::string& key, Deadline deadline);

private:
    FileDescriptor socket_;
};

}  // namespace dlperf::worker
