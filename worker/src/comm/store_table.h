// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/membership.h"
#include "comm/socket.h"

namespace dlperf::worker {

// What TcpStoreServer keeps and whom it talks to: values, the ranks that are alive, and the connections,
// each driven by its socket's becoming readable and writable.
class StoreTable {
public:
    struct Connection {
        FileDescriptor socket;
        std::string input;
        std::string output;
        std::vector<std::string> waitingFor;
        std::optional<int> rank;  // of a living one
        bool greeted = false;
        bool notified = false;  // of the first loss
        bool ended = false;     // the rank said that it ends; what it is still to be told is sent
        bool broken = false;
    };

    explicit StoreTable(std::chrono::milliseconds silence) : members_(silence) {}

    std::list<Connection>& connections() { return connections_; }
    void accept(const FileDescriptor& listener);
    void read(Connection& connection);
    void write(Connection& connection);
    // Ends with a connection the life of its rank.
    void removeBroken();

    // When a rank has been silent for too long, if any may be.
    std::optional<Membership::Time> nextSilence() const { return members_.nextSilence(); }
    // `now` as Membership::judge() wants it.
    void notifyLoss(Membership::Time now);
    // Where rank 0 has not left, its end is one that the others must notice.
    void notifyShutdown();
    // True while something was said to somebody that may not have arrived.
    bool hasOutput() const;

private:
    void handleInput(Connection& connection);
    // False where the input holds no whole request.
    bool handleRequest(Connection& connection);

    // False where the client must not do that.
    bool handleClient(Connection& connection, char kind, const std::string& key, const std::string& value);
    bool handleMember(Connection& connection, char kind, const std::string& value);
    bool join(Connection& connection, const std::string& key);
    bool set(const std::string& key, const std::string& value);
    bool get(Connection& connection, const std::string& key);

    std::list<Connection> connections_;
    std::map<std::string, std::string> values_;
    std::size_t stored_ = 0;  // bytes that were ever set
    Membership members_;
};

}  // namespace dlperf::worker
