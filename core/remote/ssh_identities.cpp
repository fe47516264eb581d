// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_identities.h"

#include <fmt/format.h>
#include <libssh2.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/file.h"
#include "core/base/text.h"
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
        all_.push_back({"the agent's " + key.comment,
                        signs ? Signer::Agent : Signer::Program,
                        key.publicKey,
                        {},
                        agent});
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
