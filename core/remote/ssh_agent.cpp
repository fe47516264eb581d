// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_agent.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <chrono>

#include "core/base/text.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

// draft-miller-ssh-agent
constexpr char requestIdentities = 11;
constexpr char identitiesAnswer = 12;
constexpr char signRequest = 13;
constexpr char signResponse = 14;
constexpr std::uint32_t rsaSha512 = 4;
constexpr std::uint32_t longestAnswer = 256U << 10U;
constexpr std::uint32_t mostKeys = 1000;
constexpr int agentPoll = 50;  // ms; how long a stop may go unseen

bool sendAll(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    }
    return true;
}

}  // namespace

std::optional<SshAgent> SshAgent::connect(const std::filesystem::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = socket.string();
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        return {};
    }
    path.copy(address.sun_path, path.size());
    Descriptor end(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!end.open() || ::connect(end.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        return {};
    }
    return SshAgent(std::move(end));
}

std::vector<AgentKey> SshAgent::keys(const Limits& limits) const {
    const auto answer = ask(std::string(1, requestIdentities), identitiesAnswer, limits);
    std::vector<AgentKey> keys;
    WireReader reader(answer ? std::string_view(*answer) : std::string_view());
    const std::uint32_t count = std::min(reader.number(), mostKeys);
    for (std::uint32_t i = 0; i < count && reader.good(); ++i) {
        AgentKey key{std::string(reader.string()), cleanUtf8(reader.string())};
        if (reader.good()) {
            keys.push_back(std::move(key));
        }
    }
    return keys;
}

std::string SshAgent::sign(const std::string& publicKey, std::string_view data, const Limits& limits) const {
    std::string request(1, signRequest);
    putString(request, publicKey);
    putString(request, data);
    putNumber(request, keyTypeOf(publicKey) == "ssh-rsa" ? rsaSha512 : 0);
    const auto answer = ask(request, signResponse, limits);
    WireReader reader(answer ? std::string_view(*answer) : std::string_view());
    WireReader signature(reader.string());
    const std::string_view algorithm = signature.string();
    // An agent that does not know the flag signs with SHA-1, which is of no use.
    return algorithm == "ssh-rsa" ? "" : std::string(signature.string());
}

std::optional<std::string> SshAgent::ask(const std::string& request, char wanted,
                                         const Limits& limits) const {
    std::string bytes;
    putString(bytes, request);
    if (!sendAll(socket_.get(), bytes)) {
        return {};
    }
    const auto head = receive(4, limits);
    const std::uint32_t size = head ? WireReader(*head).number() : 0;
    if (size == 0 || size > longestAnswer) {
        return {};
    }
    const auto body = receive(size, limits);
    return body && body->front() == wanted ? std::optional(body->substr(1)) : std::nullopt;
}

std::optional<std::string> SshAgent::receive(std::size_t bytes, const Limits& limits) const {
    const auto until = std::chrono::steady_clock::now() + limits.deadline;
    std::string all(bytes, '\0');
    for (std::size_t have = 0; have < bytes;) {
        if (limits.stop.stop_requested() || std::chrono::steady_clock::now() > until) {
            return {};
        }
        pollfd ready{socket_.get(), POLLIN, 0};
        if (::poll(&ready, 1, agentPoll) <= 0) {
            continue;
        }
        const ssize_t got = ::recv(socket_.get(), all.data() + have, bytes - have, 0);
        if (got <= 0) {
            return {};
        }
        have += static_cast<std::size_t>(got);
    }
    return all;
}

}  // namespace dlperf::remote
