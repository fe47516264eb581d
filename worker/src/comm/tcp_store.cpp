// SPDX-License-Identifier: Apache-2.0
#include "comm/tcp_store.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "comm/heartbeat.h"
#include "comm/protocol.h"
#include "comm/socket.h"

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

// Bytes sent but not arrived. Closing a connection with unread input loses them.
int unacknowledged(const FileDescriptor& socket) {
    int bytes = 0;
    return ioctl(socket.get(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

// The server's values, ranks and connections; a connection acts when its socket is readable or writable.
class StoreTable {
public:
    struct Connection {
        FileDescriptor socket;
        std::string input;
        std::string output;
        std::vector<std::string> waitingFor;
        std::optional<int> rank;  // once it has joined
        bool greeted = false;
        bool notified = false;  // of the first loss
        bool ended = false;     // the rank has left; its output is still sent
        bool broken = false;
    };

    StoreTable(std::chrono::milliseconds silence, int ranks) : membership_(silence), awaited_(ranks) {}

    std::list<Connection>& connections() { return connections_; }

    void accept(const FileDescriptor& listener) {
        FileDescriptor socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket) {
            // Without descriptors left the listener stays readable; do not spin.
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

    void read(Connection& connection) {
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

    void write(Connection& connection) {
        const ssize_t sent =
            send(connection.socket.get(), connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            connection.output.erase(0, static_cast<std::size_t>(sent));
        } else if (errno != EAGAIN && errno != EINTR) {
            connection.broken = true;
        }
    }

    // Its ranks are then lost.
    void removeBroken() {
        for (Connection& connection : connections_) {
            if (connection.ended && connection.output.empty()) {
                connection.broken = true;
            }
            if (connection.output.size() > maxUnread) {
                connection.broken = true;
            }
            if (connection.broken && connection.rank) {
                membership_.disconnect(*connection.rank);
            }
        }
        connections_.remove_if([](const Connection& connection) { return connection.broken; });
    }

    std::optional<Membership::Time> nextTimeout() const { return membership_.nextTimeout(); }

    // `now` as for Membership::checkTimeouts().
    void notifyLoss(Membership::Time now) {
        membership_.checkTimeouts(now);
        if (!membership_.loss()) {
            return;
        }
        for (Connection& connection : connections_) {
            if (!connection.rank || std::exchange(connection.notified, true)) {
                continue;
            }
            connection.output += protocol::encodeAnswer(protocol::Notice, *membership_.loss());
        }
    }

    // Not where rank 0 has not left: the others must see its loss.
    void notifyShutdown() {
        if (membership_.has(0) || membership_.loss()) {
            return;
        }
        for (Connection& connection : connections_) {
            if (connection.rank) {
                connection.output += protocol::encodeAnswer(protocol::Quit, "");
            }
        }
    }

    // True while a message may not have arrived.
    bool hasOutput() const {
        return std::any_of(connections_.begin(), connections_.end(), [](const Connection& connection) {
            return !connection.output.empty() || unacknowledged(connection.socket) > 0;
        });
    }

private:
    void handleInput(Connection& connection) {
        std::string& input = connection.input;
        if (!connection.greeted) {
            const std::size_t known = std::min(input.size(), greetingText.size());
            connection.broken = input.substr(0, known) != greetingText.substr(0, known);
            if (connection.broken || known < greetingText.size()) {
                if (awaited_ > 0 && known == greetingText.size() &&
                    input.starts_with(protocol::greetingOfAnyBuild)) {
                    membership_.refuse(protocol::otherBuild);
                }
                return;
            }
            connection.greeted = true;
            input.erase(0, greetingText.size());
        }
        while (!connection.broken && !connection.ended && handleRequest(connection)) {
        }
    }

    // False where the input holds no whole request.
    bool handleRequest(Connection& connection) {
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
        const bool understood = connection.rank ? handleRank(connection, kind, *value)
                                                : handleClient(connection, kind, *key, *value);
        if (!understood) {
            connection.broken = true;
        }
        connection.input.erase(0, connection.input.size() - rest.size());
        return true;
    }

    // False where the client must not do that.
    bool handleClient(Connection& connection, char kind, const std::string& key, const std::string& value) {
        if (kind == protocol::Join) {
            return join(connection, key);
        }
        if (kind == protocol::Set) {
            return set(key, value);
        }
        return kind == protocol::Get && get(connection, key);
    }

    bool handleRank(Connection& connection, char kind, const std::string& value) {
        if (kind == protocol::Heartbeat) {
            membership_.heartbeat(*connection.rank, steady_clock::now());
            connection.output += protocol::encodeAnswer(protocol::Alive, "");
            return true;
        }
        if (kind != protocol::Failed && kind != protocol::Leave) {
            return false;
        }
        if (kind == protocol::Failed) {
            membership_.fail(*connection.rank, value);
        } else {
            membership_.leave(*connection.rank);
        }
        connection.rank.reset();
        connection.ended = true;
        return true;
    }

    bool join(Connection& connection, const std::string& key) {
        const auto rank = numberIn<int>(key);
        if (!rank || !membership_.join(*rank, steady_clock::now())) {
            return false;
        }
        connection.rank = rank;
        --awaited_;
        connection.output += protocol::encodeAnswer(protocol::Alive, "");
        return true;
    }

    bool set(const std::string& key, const std::string& value) {
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

    bool get(Connection& connection, const std::string& key) {
        const auto found = values_.find(key);
        if (found != values_.end()) {
            connection.output += encodeField(found->second);
        } else {
            connection.waitingFor.push_back(key);
        }
        return connection.waitingFor.size() <= maxWaiting && connection.output.size() <= maxUnread;
    }

    std::list<Connection> connections_;
    std::map<std::string, std::string> values_;
    std::size_t stored_ = 0;  // bytes that were ever set
    Membership membership_;
    int awaited_;  // ranks that have not joined yet
};

// A round of what is ready by `until`: reads, writes and accepts. False where nothing was.
bool serveOnce(StoreTable& table, const FileDescriptor& listener, int wakeUp,
               std::optional<steady_clock::time_point> until) {
    std::vector<pollfd> entries{{wakeUp, POLLIN, 0}, {listener.get(), POLLIN, 0}};
    for (const StoreTable::Connection& connection : table.connections()) {
        const short writable = connection.output.empty() ? short{0} : short{POLLOUT};
        entries.push_back({connection.socket.get(), static_cast<short>(POLLIN | writable), 0});
    }
    const auto now = steady_clock::now();
    const int ready = poll(entries.data(), entries.size(), until ? millisecondsUntil(*until) : -1);
    if (ready < 0) {
        // Interrupted, or short of memory for a moment.
        if (errno != EINTR) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return true;
    }

    std::size_t i = 2;
    for (StoreTable::Connection& connection : table.connections()) {
        const short events = entries[i++].revents;
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) {
            table.read(connection);
        }
        if ((events & POLLOUT) != 0 && !connection.broken) {
            table.write(connection);
        }
    }
    table.removeBroken();
    table.notifyLoss(now);
    if ((entries[1].revents & POLLIN) != 0) {
        table.accept(listener);
    }
    return ready > 0;
}

void serve(const FileDescriptor& listener, int wakeUp, std::chrono::milliseconds silence, int ranks,
           const std::stop_token& stop) {
    StoreTable table(silence, ranks);
    while (!stop.stop_requested()) {
        serveOnce(table, listener, wakeUp, table.nextTimeout());
    }

    // Messages that arrived before the stop are still passed on.
    const auto deadline = steady_clock::now() + protocol::finalMessageTimeout;
    constexpr int noFile = -1;  // the wake-up call came
    while (serveOnce(table, listener, noFile, steady_clock::now()) && steady_clock::now() < deadline) {
    }
    table.notifyShutdown();
    // Nothing is read any more, as it would be answered; acknowledgements do not wake poll().
    while (table.hasOutput() && steady_clock::now() < deadline) {
        for (StoreTable::Connection& connection : table.connections()) {
            table.write(connection);
        }
        table.removeBroken();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace

TcpStoreServer::TcpStoreServer(FileDescriptor listener, std::chrono::milliseconds silence, int ranks)
    : wakeUp_(eventfd(0, EFD_CLOEXEC)) {
    fcntl(listener.get(), F_SETFL, O_NONBLOCK);
    const int wakeUp = wakeUp_.get();
    thread_ = std::jthread([socket = std::move(listener), wakeUp, silence, ranks](
                               const std::stop_token& stop) { serve(socket, wakeUp, silence, ranks, stop); });
}

TcpStoreServer::~TcpStoreServer() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    // An event counter that is new cannot be full.
    [[maybe_unused]] const ssize_t written = ::write(wakeUp_.get(), &one, sizeof one);
    thread_.join();
}

TcpStoreClient::TcpStoreClient(const std::string& address, std::uint16_t port, Deadline deadline)
    : socket_(connectTo(address, port, deadline)) {
    sendAll(socket_, protocol::greetingText, deadline);
}

void TcpStoreClient::set(const std::string& key, const std::string& value, Deadline deadline) {
    sendAll(socket_, protocol::encodeRequest(protocol::Set, key, value), deadline);
}

std::string TcpStoreClient::get(const std::string& key, Deadline deadline,
                                const std::function<std::optional<std::string>()>& lost) {
    constexpr std::chrono::milliseconds look{200};
    if (std::exchange(unanswered_, true)) {
        throw Failure(ExitCode::Rendezvous, "rank 0 did not answer an earlier question in time");
    }
    sendAll(socket_, protocol::encodeRequest(protocol::Get, key, ""), deadline);
    while (!readable(socket_, std::min(deadline, steady_clock::now() + look)) &&
           steady_clock::now() < deadline) {
        if (const auto reason = lost ? lost() : std::nullopt) {
            throw Failure(ExitCode::Communication, *reason);
        }
    }
    std::string value = protocol::receiveField(socket_, deadline);
    unanswered_ = false;
    return value;
}

}  // namespace dlperf::worker
