// SPDX-License-Identifier: Apache-2.0
#include "comm/store_table.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

#include "comm/protocol.h"

namespace dlperf::worker {
namespace {

using protocol::encodeField;
using protocol::greetingText;
using protocol::takeField;
using std::chrono::steady_clock;

constexpr std::size_t maxKeys = 1 << 20;
constexpr std::size_t maxConnections = 1 << 16;
constexpr std::size_t maxUnread = 4 * protocol::maxField;
constexpr std::size_t maxWaiting = 16;
constexpr std::size_t maxStored = std::size_t{512} << 20;

// Bytes that were sent but have not arrived. A connection that is ended while there is something to read in
// it loses them.
int unacknowledged(const FileDescriptor& socket) {
    int bytes = 0;
    return ioctl(socket.get(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

}  // namespace

void StoreTable::accept(const FileDescriptor& listener) {
    FileDescriptor socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) {
        // Without descriptors left the listener stays readable: this keeps the loop from turning at full
        // speed.
        if (errno == EMFILE || errno == ENFILE) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return;
    }
    if (connections_.size() >= maxConnections) {
        return;
    }
    connections_.emplace_back();
    connections_.back().socket = std::move(socket);
}

void StoreTable::read(Connection& connection) {
    char buffer[65536];
    const ssize_t got = recv(connection.socket.get(), buffer, sizeof buffer, 0);
    if (got > 0 && connection.ended) {
        return;
    }
    if (got > 0) {
        connection.input.append(buffer, static_cast<std::size_t>(got));
        handleInput(connection);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        connection.broken = true;
    }
}

void StoreTable::write(Connection& connection) {
    const ssize_t sent =
        send(connection.socket.get(), connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
        connection.output.erase(0, static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR) {
        connection.broken = true;
    }
}

void StoreTable::removeBroken() {
    for (Connection& connection : connections_) {
        if (connection.ended && connection.output.empty()) {
            connection.broken = true;
        }
        if (connection.output.size() > maxUnread) {
            connection.broken = true;
        }
        if (connection.broken && connection.rank) {
            members_.vanish(*connection.rank);
        }
    }
    connections_.remove_if([](const Connection& connection) { return connection.broken; });
}

void StoreTable::notifyLoss(Membership::Time now) {
    members_.judge(now);
    if (!members_.loss()) {
        return;
    }
    for (Connection& connection : connections_) {
        if (!connection.rank || std::exchange(connection.notified, true)) {
            continue;
        }
        connection.output += protocol::encodeAnswer(protocol::Notice, *members_.loss());
    }
}

void StoreTable::notifyShutdown() {
    if (members_.has(0) || members_.loss()) {
        return;
    }
    for (Connection& connection : connections_) {
        if (connection.rank) {
            connection.output += protocol::encodeAnswer(protocol::Quit, "");
        }
    }
}

bool StoreTable::hasOutput() const {
    return std::any_of(connections_.begin(), connections_.end(), [](const Connection& connection) {
        return !connection.output.empty() || unacknowledged(connection.socket) > 0;
    });
}

void StoreTable::handleInput(Connection& connection) {
    std::string& input = connection.input;
    if (!connection.greeted) {
        const std::size_t known = std::min(input.size(), greetingText.size());
        connection.broken = input.substr(0, known) != greetingText.substr(0, known);
        if (connection.broken || known < greetingText.size()) {
            return;
        }
        connection.greeted = true;
        input.erase(0, greetingText.size());
    }
    while (!connection.broken && !connection.ended && handleRequest(connection)) {
    }
}

bool StoreTable::handleRequest(Connection& connection) {
    std::string_view rest = connection.input;
    if (rest.empty()) {
        return false;
    }
    const char kind = rest.front();
    rest.remove_prefix(1);
    const auto key = takeField(rest, connection.broken);
    const auto value = key ? takeField(rest, connection.broken) : std::nullopt;
    if (!value) {
        return false;
    }
    const bool understood = connection.rank ? handleMember(connection, kind, *value)
                                            : handleClient(connection, kind, *key, *value);
    if (!understood) {
        connection.broken = true;
    }
    connection.input.erase(0, connection.input.size() - rest.size());
    return true;
}

bool StoreTable::handleClient(Connection& connection, char kind, const std::string& key,
                              const std::string& value) {
    if (kind == protocol::Join) {
        return join(connection, key);
    }
    if (kind == protocol::Set) {
        return set(key, value);
    }
    return kind == protocol::Get && get(connection, key);
}

bool StoreTable::join(Connection& connection, const std::string& key) {
    const auto rank = protocol::numberIn<int>(key);
    if (!rank || !members_.join(*rank, steady_clock::now())) {
        return false;
    }
    connection.rank = rank;
    connection.output += protocol::encodeAnswer(protocol::Alive, "");
    return true;
}

bool StoreTable::handleMember(Connection& connection, char kind, const std::string& value) {
    if (kind == protocol::Heartbeat) {
        const auto steps = protocol::numberIn<std::int64_t>(value);
        if (steps) {
            members_.heartbeat(*connection.rank, *steps, steady_clock::now());
        }
        connection.output += protocol::encodeAnswer(protocol::Alive, "");
        return steps.has_value();
    }
    if (kind != protocol::Failed && kind != protocol::Leave) {
        return false;
    }
    if (kind == protocol::Failed) {
        members_.fail(*connection.rank, value);
    } else {
        members_.leave(*connection.rank);
    }
    connection.rank.reset();
    connection.ended = true;
    return true;
}

bool StoreTable::set(const std::string& key, const std::string& value) {
    stored_ += key.size() + value.size();
    if (values_.size() >= maxKeys || stored_ > maxStored) {
        return false;
    }
    values_[key] = value;
    for (Connection& connection : connections_) {
        const std::size_t answers = std::erase(connection.waitingFor, key);
        for (std::size_t i = 0; i < answers && connection.output.size() <= maxUnread; ++i) {
            connection.output += encodeField(value);
        }
    }
    return true;
}

bool StoreTable::get(Connection& connection, const std::string& key) {
    const auto found = values_.find(key);
    if (found != values_.end()) {
        connection.output += encodeField(found->second);
    } else {
        connection.waitingFor.push_back(key);
    }
    return connection.waitingFor.size() <= maxWaiting && connection.output.size() <= maxUnread;
}

}  // namespace dlperf::worker
