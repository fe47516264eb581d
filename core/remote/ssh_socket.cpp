// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

extern char** environ;

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Milliseconds socketPoll{50};  // how long a stop may go unseen
// Bytes that nobody acknowledges for so long mean that the peer is gone.
constexpr Milliseconds unacknowledged{20'000};
constexpr Milliseconds proxyEnd{1'000};

struct AddressesFree {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesFree>;

Result<Addresses> resolve(const SshSettings& settings, const std::string& where) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    const int error =
        ::getaddrinfo(settings.host.c_str(), std::to_string(settings.port).c_str(), &wanted, &list);
    if (error != 0) {
        return fail(fmt::format("the name {} has no address: {}", settings.host, ::gai_strerror(error)),
                    where, "Check the name, or give the address.",
                    error == EAI_AGAIN ? ErrorKind::Transient : ErrorKind::Work);
    }
    return Addresses(list);
}

void setOptions(int socket, const SshSettings& settings) {
    const int on = 1;
    const Milliseconds silence = std::min(settings.silence().value_or(unacknowledged), unacknowledged);
    const auto time = static_cast<unsigned>(silence.count());
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &time, sizeof time);
}

// 0, or the number of the error.
int connectTo(int socket, const addrinfo& address, Clock::time_point until, const std::stop_token& stop) {
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (waitForEvents(socket, POLLOUT, until, stop)) {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
        return error;
    }
    return ETIMEDOUT;
}

Failure unreachable(const SshSettings& settings, const std::string& where, int error) {
    const std::string remedy = error == ECONNREFUSED
                                   ? "Check that sshd runs there, and the port."
                                   : "Check that the machine is on, its address and the network between.";
    return fail(
        fmt::format("{} port {} does not answer: {}", settings.host, settings.port, std::strerror(error)),
        where, remedy, ErrorKind::Transient);
}

// A shell with both its streams on one end of the pair.
Result<pid_t> startProxy(const std::string& command, int end, const std::string& where) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    std::array<char*, 4> words{shell.data(), option.data(), text.data(), nullptr};
    pid_t process = 0;
    const int error = ::posix_spawn(&process, "/bin/sh", &actions, &attributes, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        return fail(fmt::format("the proxy command did not start: {}", std::strerror(error)), where, {},
                    ErrorKind::Transient);
    }
    return process;
}

}  // namespace

bool waitForEvents(int descriptor, short events, Clock::time_point until, const std::stop_token& stop) {
    while (Clock::now() < until && !stop.stop_requested()) {
        pollfd ready{descriptor, events, 0};
        if (::poll(&ready, 1, static_cast<int>(socketPoll.count())) > 0) {
            return true;
        }
    }
    return false;
}

Result<SshSocket> SshSocket::connect(const SshSettings& settings, const Limits& limits,
                                     const std::string& where) {
    if (const std::string command = proxyCommandOf(settings); !command.empty()) {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            return unreachable(settings, where, errno);
        }
        Descriptor own(ends[0]);
        const Descriptor other(ends[1]);
        ::fcntl(own.get(), F_SETFL, O_NONBLOCK);
        const auto proxy = startProxy(command, other.get(), where);
        if (!proxy) {
            return Failure(proxy.error());
        }
        return SshSocket(std::move(own), *proxy);
    }
    const auto addresses = resolve(settings, where);
    if (!addresses) {
        return Failure(addresses.error());
    }
    int error = ETIMEDOUT;
    const auto until = Clock::now() + limits.deadline;
    for (const addrinfo* address = addresses->get(); address != nullptr; address = address->ai_next) {
        Descriptor socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        error = socket.open() ? connectTo(socket.get(), *address, until, limits.stop) : errno;
        if (error == 0) {
            setOptions(socket.get(), settings);
            return SshSocket(std::move(socket), 0);
        }
    }
    return unreachable(settings, where, error);
}

SshSocket::SshSocket(SshSocket&& other) noexcept
    : socket_(std::move(other.socket_)), proxy_(std::exchange(other.proxy_, 0)) {}

SshSocket::~SshSocket() {
    socket_.close();
    if (proxy_ == 0) {
        return;
    }
    ::kill(-proxy_, SIGTERM);
    const auto until = Clock::now() + proxyEnd;
    while (::waitpid(proxy_, nullptr, WNOHANG) == 0) {
        if (Clock::now() > until) {
            ::kill(-proxy_, SIGKILL);
        }
        std::this_thread::sleep_for(Milliseconds{2});
    }
}

}  // namespace dlperf::remote
