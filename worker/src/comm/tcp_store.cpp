// SPDX-License-Identifier: Apache-2.0
#include "comm/tcp_store.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace dlperf::worker {
namespace {

constexpr std::string_view kGreeting = "dlperf1\n";
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kMaxField = 1 << 20;
constexpr std::size_t kMaxKeys = 1 << 20;
constexpr std::size_t kMaxConnections = 1 << 16;

std::string encodeField(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        text += static_cast<char>(bytes.size() >> (8 * i) & 0xFF);
    return text.append(bytes);
}

std::string encodeRequest(char kind, std::string_view key, std::string_view value) {
    std::string text(1, kind);
    text += encodeField(key);
    text += encodeField(value);
    return text;
}

std::size_t decodeLength(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return length;
}

struct Connection {
    FileDescriptor socket;
    std::string input;
    std::string output;
    std::vector<std::string> waitingFor;
    bool greeted = false;
    bool broken = false;
};

/// The table and its connections, driven by readable and writable sockets.
class Table {
public:
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

    void removeBroken() {
        connections_.remove_if([](const Connection& connection) { return connection.broken; });
    }

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
        while (!connection.broken && handleRequest(connection)) {
        }
    }

    /// False where the input holds no whole request.
    bool handleRequest(Connection& connection) {
        std::string_view rest = connection.input;
        if (rest.empty()) return false;
        const char kind = rest.front();
        rest.remove_prefix(1);
        const auto key = takeField(rest, connection);
        const auto value = key ? takeField(rest, connection) : std::nullopt;
        if (!value) return false;
        if (kind == 'S' && values_.size() < kMaxKeys) {
            set(*key, *value);
        } else if (kind == 'G') {
            get(connection, *key);
        } else {
            connection.broken = true;
        }
        connection.input.erase(0, connection.input.size() - rest.size());
        return true;
    }

    static std::optional<std::string> takeField(std::string_view& rest, Connection& connection) {
        if (rest.size() < kLengthBytes) return std::nullopt;
        const std::size_t length = decodeLength(rest);
        connection.broken = length > kMaxField;
        if (connection.broken || rest.size() < kLengthBytes + length) return std::nullopt;
        std::string field(rest.substr(kLengthBytes, length));
        rest.remove_prefix(kLengthBytes + length);
        return field;
    }

    void set(const std::string& key, const std::string& value) {
        values_[key] = value;
        for (Connection& connection : connections_) {
            const std::size_t answers = std::erase(connection.waitingFor, key);
            for (std::size_t i = 0; i < answers; ++i)
                connection.output += encodeField(value);
        }
    }

    void get(Connection& connection, const std::string& key) {
        const auto found = values_.find(key);
        if (found != values_.end()) {
            connection.output += encodeField(found->second);
        } else {
            connection.waitingFor.push_back(key);
        }
    }

    std::list<Connection> connections_;
    std::map<std::string, std::string> values_;
};

void serve(const FileDescriptor& listener, int wakeUp, const std::stop_token& stop) {
    Table table;
    std::vector<pollfd> entries;
    while (!stop.stop_requested()) {
        entries.assign({{wakeUp, POLLIN, 0}, {listener.get(), POLLIN, 0}});
        for (const Connection& connection : table.connections()) {
            const short writable = connection.output.empty() ? short{0} : short{POLLOUT};
            entries.push_back({connection.socket.get(), static_cast<short>(POLLIN | writable), 0});
        }
        if (poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) return;

        std::size_t i = 2;
        for (Connection& connection : table.connections()) {
            const short events = entries[i++].revents;
            if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) table.read(connection);
            if ((events & POLLOUT) != 0 && !connection.broken) table.write(connection);
        }
        table.removeBroken();
        if ((entries[1].revents & POLLIN) != 0) table.accept(listener);
    }
}

}  // namespace

TcpStoreServer::TcpStoreServer(FileDescriptor listener) : wakeUp_(eventfd(0, EFD_CLOEXEC)) {
    fcntl(listener.get(), F_SETFL, O_NONBLOCK);
    const int wakeUp = wakeUp_.get();
    thread_ = std::jthread(
        [socket = std::move(listener), wakeUp](const std::stop_token& stop) { serve(socket, wakeUp, stop); });
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
    sendAll(socket_, encodeRequest('S', key, value), deadline);
}

std::string TcpStoreClient::get(const std::string& key, Deadline deadline) {
    sendAll(socket_, encodeRequest('G', key, ""), deadline);
    std::string length(kLengthBytes, '\0');
    receiveAll(socket_, length, deadline);
    std::string value(decodeLength(length), '\0');
    receiveAll(socket_, value, deadline);
    return value;
}

}  // namespace dlperf::worker
