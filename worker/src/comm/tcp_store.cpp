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
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/members.h"
#include "comm/protocol.h"

namespace dlperf::worker {
namespace {

using protocol::encodeField;
using protocol::kGreeting;
using protocol::takeField;
using std::chrono::steady_clock;

constexpr std::size_t kMaxKeys = 1 << 20;
constexpr std::size_t kMaxConnections = 1 << 16;
constexpr std::size_t kMaxUnread = 4 * protocol::kMaxField;
constexpr std::size_t kMaxWaiting = 16;
constexpr std::size_t kMaxStored = std::size_t{512} << 20;
constexpr std::chrono::seconds kLastWordTimeout{2};

/// Bytes that were sent but have not arrived. A connection that is ended while there is something to read in
/// it loses them.
int unacknowledged(const FileDescriptor& socket) {
    int bytes = 0;
    return ioctl(socket.get(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

struct Connection {
    FileDescriptor socket;
    std::string input;
    std::string output;
    std::vector<std::string> waitingFor;
    std::optional<int> rank;  ///< of a living one
    bool greeted = false;
    bool told = false;  ///< of the first loss
    bool ended = false;
    bool broken = false;
};

/// The table and its connections, driven by readable and writable sockets.
class Table {
public:
    explicit Table(std::chrono::milliseconds silence) : members_(silence) {}

    void accept(const FileDescriptor& listener) {
        FileDescriptor socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (socket && connections_.size() < kMaxConnections) {
            connections_.emplace_back();
            connections_.back().socket = std::move(socket);
        }
    }

    std::list<Connection>& connections() { return connections_; }

    void read(Connection& connection) {
        char buffer[65536];
        const ssize_t got = recv(connection.socket.get(), buffer, sizeof buffer, 0);
        if (got > 0 && connection.ended) return;
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

    /// Ends with a connection the life of its rank.
    void removeBroken() {
        for (Connection& connection : connections_) {
            if (connection.ended && connection.output.empty()) connection.broken = true;
            if (connection.output.size() > kMaxUnread) connection.broken = true;
            if (connection.broken && connection.rank) members_.vanish(*connection.rank);
        }
        connections_.remove_if([](const Connection& connection) { return connection.broken; });
    }

    /// `now` as Members::judge() wants it.
    void tellLoss(steady_clock::time_point now) {
        members_.judge(now);
        if (!members_.loss()) return;
        for (Connection& connection : connections_) {
            if (!connection.rank || std::exchange(connection.told, true)) continue;
            connection.output += protocol::encodeAnswer(protocol::Notice, *members_.loss());
        }
    }

    /// Where rank 0 has not left, its end is one that the others must notice.
    void tellGoodbye() {
        if (members_.has(0) || members_.loss()) return;
        for (Connection& connection : connections_) {
            if (connection.rank) connection.output += protocol::encodeAnswer(protocol::Quit, "");
        }
    }

    /// True while something was said to somebody that may not have arrived.
    bool hasOutput() const {
        return std::any_of(connections_.begin(), connections_.end(), [](const Connection& connection) {
            return !connection.output.empty() || unacknowledged(connection.socket) > 0;
        });
    }

    std::optional<steady_clock::time_point> nextSilence() const { return members_.nextSilence(); }

private:
    void handleInput(Connection& connection) {
        std::string& input = connection.input;
        if (!connection.greeted) {
            const std::size_t known = std::min(input.size(), kGreeting.size());
            connection.broken = input.substr(0, known) != kGreeting.substr(0, known);
            if (connection.broken || known < kGreeting.size()) return;
            connection.greeted = true;
            input.erase(0, kGreeting.size());
        }
        while (!connection.broken && !connection.ended && handleRequest(connection)) {
        }
    }

    /// False where the input holds no whole request.
    bool handleRequest(Connection& connection) {
        std::string_view rest = connection.input;
        if (rest.empty()) return false;
        const char kind = rest.front();
        rest.remove_prefix(1);
        const auto key = takeField(rest, connection.broken);
        const auto value = key ? takeField(rest, connection.broken) : std::nullopt;
        if (!value) return false;
        const bool understood = connection.rank ? handleMember(connection, kind, *value)
                                                : handleClient(connection, kind, *key, *value);
        if (!understood) connection.broken = true;
        connection.input.erase(0, connection.input.size() - rest.size());
        return true;
    }

    bool handleClient(Connection& connection, char kind, const std::string& key, const std::string& value) {
        if (kind == protocol::Member) return join(connection, key);
        if (kind == protocol::Set) return set(key, value);
        return kind == protocol::Get && get(connection, key);
    }

    bool join(Connection& connection, const std::string& key) {
        const auto rank = protocol::numberIn<int>(key);
        if (!rank || !members_.join(*rank, steady_clock::now())) return false;
        connection.rank = rank;
        connection.output += protocol::encodeAnswer(protocol::Alive, "");
        return true;
    }

    bool handleMember(Connection& connection, char kind, const std::string& value) {
        if (kind == protocol::Beat) {
            const auto steps = protocol::numberIn<std::int64_t>(value);
            if (steps) members_.beat(*connection.rank, *steps, steady_clock::now());
            connection.output += protocol::encodeAnswer(protocol::Alive, "");
            return steps.has_value();
        }
        if (kind != protocol::Failed && kind != protocol::Leave) return false;
        if (kind == protocol::Failed) {
            members_.fail(*connection.rank, value);
        } else {
            members_.leave(*connection.rank);
        }
        connection.rank.reset();
        connection.ended = true;
        return true;
    }

    bool set(const std::string& key, const std::string& value) {
        stored_ += key.size() + value.size();
        if (values_.size() >= kMaxKeys || stored_ > kMaxStored) return false;
        values_[key] = value;
        for (Connection& connection : connections_) {
            const std::size_t answers = std::erase(connection.waitingFor, key);
            for (std::size_t i = 0; i < answers && connection.output.size() <= kMaxUnread; ++i)
                connection.output += encodeField(value);
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
        return connection.waitingFor.size() <= kMaxWaiting && connection.output.size() <= kMaxUnread;
    }

    std::list<Connection> connections_;
    std::map<std::string, std::string> values_;
    std::size_t stored_ = 0;  ///< bytes that were ever set
    Members members_;
};

/// A round of what is ready by `until`: reads, writes and accepts. False where nothing was.
bool serveOnce(Table& table, const FileDescriptor& listener, int wakeUp,
               std::optional<steady_clock::time_point> until) {
    std::vector<pollfd> entries{{wakeUp, POLLIN, 0}, {listener.get(), POLLIN, 0}};
    for (const Connection& connection : table.connections()) {
        const short writable = connection.output.empty() ? short{0} : short{POLLOUT};
        entries.push_back({connection.socket.get(), static_cast<short>(POLLIN | writable), 0});
    }
    const auto now = steady_clock::now();
    const int ready = poll(entries.data(), entries.size(), until ? millisecondsUntil(*until) : -1);
    if (ready < 0) {
        // Interrupted, or short of memory for a moment.
        if (errno != EINTR) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return true;
    }

    std::size_t i = 2;
    for (Connection& connection : table.connections()) {
        const short events = entries[i++].revents;
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) table.read(connection);
        if ((events & POLLOUT) != 0 && !connection.broken) table.write(connection);
    }
    table.removeBroken();
    table.tellLoss(now);
    if ((entries[1].revents & POLLIN) != 0) table.accept(listener);
    return ready > 0;
}

void serve(const FileDescriptor& listener, int wakeUp, std::chrono::milliseconds silence,
           const std::stop_token& stop) {
    Table table(silence);
    while (!stop.stop_requested())
        serveOnce(table, listener, wakeUp, table.nextSilence());

    // What others said before this was ended has arrived and is still told.
    const auto deadline = steady_clock::now() + kLastWordTimeout;
    constexpr int kNone = -1;  // the wake-up call came
    while (serveOnce(table, listener, kNone, steady_clock::now()) && steady_clock::now() < deadline) {
    }
    table.tellGoodbye();
    // Nothing is read any more, as it would be answered. Acknowledgements wake nobody.
    while (table.hasOutput() && steady_clock::now() < deadline) {
        for (Connection& connection : table.connections())
            table.write(connection);
        table.removeBroken();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace

TcpStoreServer::TcpStoreServer(FileDescriptor listener, std::chrono::milliseconds silence)
    : wakeUp_(eventfd(0, EFD_CLOEXEC)) {
    fcntl(listener.get(), F_SETFL, O_NONBLOCK);
    const int wakeUp = wakeUp_.get();
    thread_ = std::jthread([socket = std::move(listener), wakeUp, silence](const std::stop_token& stop) {
        serve(socket, wakeUp, silence, stop);
    });
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
    sendAll(socket_, kGreeting, deadline);
}

void TcpStoreClient::set(const std::string& key, const std::string& value, Deadline deadline) {
    sendAll(socket_, protocol::encodeRequest(protocol::Set, key, value), deadline);
}

std::string TcpStoreClient::get(const std::string& key, Deadline deadline) {
    sendAll(socket_, protocol::encodeRequest(protocol::Get, key, ""), deadline);
    std::string length(protocol::kLengthBytes, '\0');
    receiveAll(socket_, length, deadline);
    std::string value(protocol::decodeLength(length), '\0');
    receiveAll(socket_, value, deadline);
    return value;
}

}  // namespace dlperf::worker
