// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_identities.h"

#include <fmt/format.h>
#include <libssh2.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/ssh_session.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

using Signer = SshIdentity::Signer;

constexpr std::string_view beginOpenSsh = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view endOpenSsh = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::string_view openSshMagic{"openssh-key-v1\0", 15};
constexpr std::uintmax_t mostKeyBytes = 64U << 10U;

struct KeyFile {
    bool isPrivate = false;
    bool encrypted = false;
    std::string publicKey;  // empty where the file does not show it
};

// OpenSSH's format holds the public half in clear, whether it is encrypted or not.
KeyFile readOpenSsh(std::string body) {
    std::erase_if(body, [](char c) { return c == '\n' || c == '\r'; });
    const auto bytes = decodeBase64(body);
    if (!bytes || !bytes->starts_with(openSshMagic)) {
        return {};
    }
    WireReader reader(std::string_view(*bytes).substr(openSshMagic.size()));
    const bool encrypted = reader.string() != "none";
    reader.string();  // how the passphrase becomes a key
    reader.string();
    const std::uint32_t keys = reader.number();
    const std::string publicKey(reader.string());
    return reader.good() && keys == 1 ? KeyFile{true, encrypted, publicKey} : KeyFile();
}

// A private key in OpenSSH's format or in PEM, or a public one.
KeyFile readKeyFile(const std::filesystem::path& file) {
    const auto text = readFile(file, mostKeyBytes);
    if (!text) {
        return {};
    }
    const std::size_t begin = text->find(beginOpenSsh);
    const std::size_t end = text->find(endOpenSsh);
    if (begin != std::string::npos && end != std::string::npos && begin < end) {
        return readOpenSsh(text->substr(begin + beginOpenSsh.size(), end - begin - beginOpenSsh.size()));
    }
    if (text->find("PRIVATE KEY-----") != std::string::npos) {
        const bool encrypted = text->find("ENCRYPTED") != std::string::npos;
        return {true, encrypted, readKeyFile(file.string() + ".pub").publicKey};
    }
    const auto words = split(trim(*text), ' ');
    const auto bytes = words.size() < 2 ? std::nullopt : decodeBase64(words[1]);
    return {false, false, bytes && keyTypeOf(*bytes) == words[0] ? *bytes : ""};
}

// libssh2 1.10 signs RSA by SHA-1 only, which hosts refuse today; agents of today sign by SHA-2.
bool librarySigns(std::string_view type, bool byAgent) {
    return type == "ssh-ed25519" || type.starts_with("ecdsa-sha2-nistp") ||
           (type == "ssh-rsa" && (byAgent || libssh2_version(0x010B00) != nullptr));
}

std::filesystem::path agentSocket(const SshSettings& settings) {
    const std::string& said = settings.identityAgent;
    if (said == "none") {
        return {};
    }
    if (said.empty() || said == "SSH_AUTH_SOCK" || said.starts_with('$')) {
        const char* value = std::getenv(said.starts_with('$') ? said.c_str() + 1 : "SSH_AUTH_SOCK");
        return value != nullptr ? value : "";
    }
    return expandHome(said);
}

// The public halves of the files that the configuration names.
std::vector<std::string> namedKeys(const SshSettings& settings) {
    std::vector<std::string> keys;
    for (const auto& file : settings.identityFiles) {
        keys.push_back(readKeyFile(file).publicKey);
        keys.push_back(readKeyFile(file.string() + ".pub").publicKey);  // the private half is in the agent
    }
    return keys;
}

// draft-miller-ssh-agent
constexpr char requestIdentities = 11;
constexpr char identitiesAnswer = 12;
constexpr char signRequest = 13;
constexpr char signResponse = 14;
constexpr std::uint32_t rsaSha512 = 4;
constexpr std::uint32_t longestAnswer = 256U << 10U;
constexpr std::uint32_t mostKeys = 1000;

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

struct AgentKey {
    std::string publicKey;
    std::string comment;  // cleaned
};

// The user's ssh-agent. libssh2's client waits for an agent without a deadline, and 1.10 asks for RSA
// signatures with SHA-1 only.
class SshAgent {
public:
    // Nothing where nobody listens.
    static std::optional<SshAgent> connect(const std::filesystem::path& socket) {
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

    // Empty where the agent does not answer.
    std::vector<AgentKey> keys(const Limits& limits) const {
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

    std::string sign(const std::string& publicKey, std::string_view data, const Limits& limits) const {
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

private:
    explicit SshAgent(Descriptor socket) : socket_(std::move(socket)) {}

    // The body of the answer behind its type; nothing for another type.
    std::optional<std::string> ask(const std::string& request, char wanted, const Limits& limits) const {
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

    std::optional<std::string> receive(std::size_t bytes, const Limits& limits) const {
        const auto until = std::chrono::steady_clock::now() + limits.deadline;
        std::string all(bytes, '\0');
        for (std::size_t have = 0; have < bytes;) {
            if (!waitForEvents(socket_.get(), POLLIN, until, limits.stop)) {
                return {};
            }
            const ssize_t got = ::recv(socket_.get(), all.data() + have, bytes - have, 0);
            if (got <= 0) {
                return {};
            }
            have += static_cast<std::size_t>(got);
        }
        return all;
    }

    Descriptor socket_;
};

}  // namespace

SshIdentities::SshIdentities(const SshSettings& settings, const Limits& limits) {
    std::error_code error;
    if (!settings.nodeKey.empty() && !std::filesystem::exists(settings.nodeKey, error)) {
        problems_.push_back("there is no key file " + settings.nodeKey.string());
    }
    addAgent(settings, limits);
    for (const auto& file : settings.identityFiles) {
        if (std::filesystem::is_regular_file(file, error)) {
            addFile(file);
        }
        const std::filesystem::path certificate = file.string() + "-cert.pub";
        if (std::filesystem::exists(certificate, error)) {
            addForProgram(certificate, readKeyFile(certificate).publicKey);
        }
    }
}

bool SshIdentities::isOffered(const std::string& publicKey) const {
    return !publicKey.empty() && std::ranges::find(all_, publicKey, &SshIdentity::publicKey) != all_.end();
}

void SshIdentities::addAgent(const SshSettings& settings, const Limits& limits) {
    auto connected = SshAgent::connect(agentSocket(settings));
    if (!connected) {
        return;
    }
    const auto agent = std::make_shared<const SshAgent>(std::move(*connected));
    auto keys = agent->keys(limits);
    const auto named = namedKeys(settings);
    const auto isNamed = [&](const AgentKey& key) {
        return std::ranges::find(named, key.publicKey) != named.end();
    };
    if (settings.identitiesOnly) {
        std::erase_if(keys, [&](const AgentKey& key) { return !isNamed(key); });
    }
    std::stable_partition(keys.begin(), keys.end(), isNamed);
    for (const AgentKey& key : keys) {
        const bool signs = librarySigns(keyTypeOf(key.publicKey), true);
        SshIdentity identity{
            "the agent's " + key.comment, signs ? Signer::Agent : Signer::Program, key.publicKey, {}};
        identity.sign = [agent, publicKey = key.publicKey](std::string_view data, const Limits& allowed) {
            return agent->sign(publicKey, data, allowed);
        };
        all_.push_back(std::move(identity));
    }
}

void SshIdentities::addFile(const std::filesystem::path& file) {
    const KeyFile key = readKeyFile(file);
    if (!key.isPrivate && key.publicKey.empty()) {  // else it names a key of the agent
        problems_.push_back(fmt::format("{} is no private key that can be read", file.string()));
    }
    if (!key.isPrivate || isOffered(key.publicKey)) {
        return;
    }
    const bool isKnown = !key.publicKey.empty();
    if (!key.encrypted && (!isKnown || librarySigns(keyTypeOf(key.publicKey), false))) {
        all_.push_back({file.string(), Signer::Library, key.publicKey, file});
    } else {
        addForProgram(file, key.publicKey);
    }
}

void SshIdentities::addForProgram(const std::filesystem::path& file, const std::string& publicKey) {
    needProgram_ = needProgram_ || publicKey.empty();
    if (!publicKey.empty()) {
        all_.push_back({file.string(), Signer::Program, publicKey, file});
    }
}

}  // namespace dlperf::remote
