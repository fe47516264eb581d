// SPDX-License-Identifier: Apache-2.0
#include "comm/socket.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

using std::chrono::steady_clock;

// A firewall drops packets to an address without a word, while the name's next address may answer.
constexpr std::chrono::seconds timeOfAnAddress{5};

[[noreturn]] void fail(const std::string& message) {
    throw Failure(ExitCode::Rendezvous, message);
}

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// Null with `error` set where the name does not resolve.
Addresses resolve(const std::string& address, std::uint16_t port, int socketType, std::string& error) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = socketType;
    addrinfo* list = nullptr;
    const int result = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &list);
    if (result != 0) {
        error = gai_strerror(result);
    }
    return Addresses(result == 0 ? list : nullptr);
}

// False where the deadline passed first.
bool waitFor(const FileDescriptor& socket, short events, Deadline deadline) {
    pollfd entry{socket.get(), events, 0};
    while (true) {
        const int ready = poll(&entry, 1, millisecondsUntil(deadline));
        if (ready > 0) {
            return true;
        }
        if (ready == 0) {
            return false;
        }
        if (errno != EINTR) {
            fail(std::string("cannot wait for a connection: ") + std::strerror(errno));
        }
    }
}

// Empty with errno set where it cannot.
FileDescriptor tryListen(const sockaddr* address, socklen_t size, int family) {
    FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    const int off = 0;
    if (family == AF_INET6) {
        setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(socket.get(), address, size) != 0 || listen(socket.get(), SOMAXCONN) != 0) {
        return {};
    }
    return socket;
}

// The listener for IPv6 takes connections over IPv4, too. Empty with errno set where it cannot.
FileDescriptor tryListenAnywhere(std::uint16_t port) {
    sockaddr_in6 any6{};
    any6.sin6_family = AF_INET6;
    any6.sin6_port = htons(port);
    FileDescriptor socket = tryListen(reinterpret_cast<const sockaddr*>(&any6), sizeof any6, AF_INET6);
    if (socket || (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)) {
        return socket;
    }
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_port = htons(port);
    return tryListen(reinterpret_cast<const sockaddr*>(&any), sizeof any, AF_INET);
}

bool isLoopback(const sockaddr* address) {
    if (address->sa_family == AF_INET) {
        return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

// A machine's own name, which leads to itself here (Debian writes 127.0.1.1) but to a network's address from
// elsewhere.
bool isOwnName(const std::string& address, const addrinfo& resolved) {
    in6_addr number{};
    return isLoopback(resolved.ai_addr) && address.find("localhost") == std::string::npos &&
           inet_pton(AF_INET, address.c_str(), &number) != 1 &&
           inet_pton(AF_INET6, address.c_str(), &number) != 1;
}

// Empty with errno set where it cannot, in time.
FileDescriptor tryConnect(const addrinfo& address, Deadline deadline) {
    FileDescriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) {
        return {};
    }
    if (connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0) {
        if (errno != EINPROGRESS) {
            return {};
        }
        if (!waitFor(socket, POLLOUT, deadline)) {
            errno = ETIMEDOUT;
            return {};
        }
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
        errno = error;
        if (error != 0) {
            return {};
        }
    }
    const int on = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
}

}  // namespace

int millisecondsUntil(Deadline deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    return static_cast<int>(std::clamp<decltype(left)>(left, 0, 1'000'000'000));
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        if (fd_ >= 0) {
            close(fd_);
        }
        fd_ = other.release();
    }
    return *this;
}

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) {
        const int kept = errno;
        close(fd_);
        errno = kept;
    }
}

int FileDescriptor::release() {
    return std::exchange(fd_, -1);
}

FileDescriptor listenAt(const std::string& address, std::uint16_t port) {
    std::string error;
    if (const Addresses list = resolve(address, port, SOCK_STREAM, error)) {
        FileDescriptor socket = isOwnName(address, *list)
                                    ? tryListenAnywhere(port)
                                    : tryListen(list->ai_addr, list->ai_addrlen, list->ai_family);
        if (!socket && errno == EADDRNOTAVAIL) {
            socket = tryListenAnywhere(port);
        }
        if (socket) {
            return socket;
        }
        error = errno == EADDRINUSE ? "the port is in use; choose another MASTER_PORT" : std::strerror(errno);
    }
    fail("rank 0 cannot listen at " + address + " port " + std::to_string(port) + ": " + error);
}

std::uint16_t portOf(const FileDescriptor& listener) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail(std::string("cannot learn the port: ") + std::strerror(errno));
    }
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                                               : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

FileDescriptor connectTo(const std::string& address, std::uint16_t port, Deadline deadline) {
    std::string error;
    do {
        const Addresses list = resolve(address, port, SOCK_STREAM, error);
        for (const addrinfo* entry = list.get(); entry != nullptr; entry = entry->ai_next) {
            const Deadline turn = std::min(deadline, steady_clock::now() + timeOfAnAddress);
            if (FileDescriptor socket = tryConnect(*entry, turn)) {
                return socket;
            }
            error = std::strerror(errno);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (steady_clock::now() < deadline);
    fail("cannot reach rank 0 at " + address + " port " + std::to_string(port) +
         " within the time: " + error);
}

void sendAll(const FileDescriptor& socket, std::span<const char> bytes, Deadline deadline) {
    while (!bytes.empty()) {
        if (!waitFor(socket, POLLOUT, deadline)) {
            fail("rank 0 does not take data in time");
        }
        const ssize_t sent = send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        } else if (errno != EINTR && errno != EAGAIN) {
            fail(std::string("the connection to rank 0 ended: ") + std::strerror(errno));
        }
    }
}

bool readable(const FileDescriptor& socket, Deadline deadline) {
    return waitFor(socket, POLLIN, deadline);
}

void receiveAll(const FileDescriptor& socket, std::span<char> bytes, Deadline deadline) {
    while (!bytes.empty()) {
        if (!waitFor(socket, POLLIN, deadline)) {
            fail("no answer in time");
        }
        const ssize_t got = recv(socket.get(), bytes.data(), bytes.size(), 0);
        if (got > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(got));
        } else if (got == 0) {
            fail("rank 0 ended before the rendezvous was complete");
        } else if (errno != EINTR && errno != EAGAIN) {
            fail(std::string("the connection to rank 0 ended: ") + std::strerror(errno));
        }
    }
}

std::string localAddressTowards(const std::string& address, std::uint16_t port) {
    std::string error;
    const Addresses list = resolve(address, port, SOCK_DGRAM, error);
    for (const addrinfo* entry = list.get(); entry != nullptr; entry = entry->ai_next) {
        // Connecting a datagram socket sends nothing; it only chooses the route.
        const FileDescriptor socket(::socket(entry->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        sockaddr_storage local{};
        socklen_t size = sizeof local;
        char text[NI_MAXHOST];
        if (socket && connect(socket.get(), entry->ai_addr, entry->ai_addrlen) == 0 &&
            getsockname(socket.get(), reinterpret_cast<sockaddr*>(&local), &size) == 0 &&
            getnameinfo(reinterpret_cast<sockaddr*>(&local), size, text, sizeof text, nullptr, 0,
                        NI_NUMERICHOST) == 0) {
            return text;
        }
        error = std::strerror(errno);
    }
    fail("there is no route to " + address + ": " + error);
}

}  // namespace dlperf::worker
