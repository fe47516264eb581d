// SPDX-License-Identifier: Apache-2.0
#include "core/remote/known_hosts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

// HMAC-SHA1 of the name, keyed with the salt; empty where there is none.
std::string hashOf(std::string_view salt, const std::string& name) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned length = 0;
    HMAC(EVP_sha1(), salt.data(), static_cast<int>(salt.size()), bytesOf(name), name.size(), hash.data(),
         &length);
    return {reinterpret_cast<const char*>(hash.data()), length};
}

// "|1|salt|hash"
bool matchesHash(std::string_view pattern, const std::string& name) {
    const auto parts = split(pattern, '|');
    if (parts.size() != 4) {
        return false;
    }
    const auto salt = decodeBase64(parts[2]);
    const auto hash = decodeBase64(parts[3]);
    return salt && hash && !hash->empty() && hashOf(*salt, name) == *hash;
}

bool matchesPattern(const std::string& pattern, const std::string& name) {
    if (pattern.starts_with("|1|")) {
        return matchesHash(pattern, name);
    }
    // fnmatch would read the brackets of "[host]:port" as a set of letters.
    std::string escaped;
    for (const char letter : pattern) {
        escaped += letter == '[' || letter == ']' || letter == '\\' ? std::string{'\\', letter}
                                                                    : std::string{letter};
    }
    return ::fnmatch(lower(escaped).c_str(), lower(name).c_str(), 0) == 0;
}

bool isAbout(const KnownHost& host, const std::string& name) {
    bool matches = false;
    for (const std::string& pattern : host.names) {
        if (pattern.starts_with('!')) {
            if (matchesPattern(pattern.substr(1), name)) {
                return false;
            }
        } else {
            matches = matches || matchesPattern(pattern, name);
        }
    }
    return matches;
}

std::vector<KnownHost> readKnownHosts(const std::vector<std::filesystem::path>& files) {
    std::vector<KnownHost> known;
    for (const auto& file : files) {
        if (const auto text = readFile(file)) {  // most users have only some of them
            std::ranges::move(parseKnownHosts(*text), std::back_inserter(known));
        }
    }
    return known;
}

}  // namespace

std::vector<KnownHost> parseKnownHosts(std::string_view text) {
    std::vector<KnownHost> hosts;
    for (const std::string_view line : split(text, '\n')) {
        auto words = wordsIn(line);
        if (words.empty() || words.front().starts_with('#')) {
            continue;
        }
        KnownHost host;
        host.revoked = words.front() == "@revoked";
        if (host.revoked) {
            words.erase(words.begin());
        }
        // Certificates are not offered, so their authorities have nothing to say.
        if (words.size() < 3 || words.front().starts_with('@')) {
            continue;
        }
        auto blob = decodeBase64(words[2]);
        if (!blob || blob->empty()) {
            continue;
        }
        for (const std::string_view name : split(words[0], ',')) {
            host.names.emplace_back(name);
        }
        host.key = {std::string(words[1]), std::move(*blob)};
        hosts.push_back(std::move(host));
    }
    return hosts;
}

std::string knownHostName(const std::string& host, int port) {
    return port == 22 ? host : "[" + host + "]:" + std::to_string(port);
}

HostKeyVerdict checkHostKey(const std::vector<KnownHost>& known, const std::string& name,
                            const HostKey& key) {
    HostKeyVerdict verdict = HostKeyVerdict::Unknown;
    for (const KnownHost& host : known) {
        const bool same = host.key.blob == key.blob;
        if (same && host.revoked && isAbout(host, name)) {
            return HostKeyVerdict::Revoked;
        }
        if (host.revoked || host.key.type != key.type || !isAbout(host, name)) {
            continue;
        }
        if (same) {
            verdict = HostKeyVerdict::Known;  // unless a later line revokes it
        } else if (verdict == HostKeyVerdict::Unknown) {
            verdict = HostKeyVerdict::Changed;
        }
    }
    return verdict;
}

std::vector<std::string> knownKeyTypes(const std::vector<KnownHost>& known, const std::string& name) {
    std::vector<std::string> types;
    for (const KnownHost& host : known) {
        if (!host.revoked && isAbout(host, name) && std::ranges::find(types, host.key.type) == types.end()) {
            types.push_back(host.key.type);
        }
    }
    return types;
}

std::vector<std::string> hostKeyAlgorithms(const std::string& type) {
    if (type == "ssh-rsa") {
        return {"rsa-sha2-512", "rsa-sha2-256"};
    }
    constexpr std::array<std::string_view, 6> own{
        "ssh-ed25519",         "ecdsa-sha2-nistp256",        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"};
    return std::find(own.begin(), own.end(), type) != own.end() ? std::vector<std::string>{type}
                                                                : std::vector<std::string>{};
}

std::string knownHostLine(const std::string& name, const HostKey& key) {
    return name + " " + key.type + " " + encodeBase64(key.blob);
}

std::string hashedHostName(const std::string& name) {
    std::array<unsigned char, SHA_DIGEST_LENGTH> random{};
    const bool isRandom = RAND_bytes(random.data(), static_cast<int>(random.size())) == 1;
    const std::string_view salt(reinterpret_cast<const char*>(random.data()), random.size());
    const std::string hash = isRandom ? hashOf(salt, name) : "";
    return hash.empty() ? name : "|1|" + encodeBase64(salt) + "|" + encodeBase64(hash);
}

Result<void> addKnownHost(const std::filesystem::path& file, const std::string& line) {
    const auto refuse = [&](const char* why) {
        return fail(std::string("the host key cannot be stored: ") + why, file.string(),
                    "Check the permissions of the file and its folder.", ErrorKind::Work);
    };
    std::error_code error;
    if (!file.parent_path().empty() && !std::filesystem::exists(file.parent_path(), error) &&
        ::mkdir(file.parent_path().c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return refuse(std::strerror(errno));
    }
    const Descriptor end(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!end.open()) {
        return refuse(std::strerror(errno));
    }
    // The last line may lack its end. In one write: other programs append too.
    const off_t size = ::lseek(end.get(), 0, SEEK_END);
    char last = '\n';
    const bool broken = size > 0 && ::pread(end.get(), &last, 1, size - 1) == 1 && last != '\n';
    const int failed = writeAll(end.get(), (broken ? "\n" : "") + line + "\n");
    return failed == 0 ? Result<void>() : refuse(std::strerror(failed));
}

std::string fingerprintOf(const HostKey& key) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_Digest(key.blob.data(), key.blob.size(), digest.data(), &length, EVP_sha256(), nullptr);
    std::string text = encodeBase64(std::string_view(reinterpret_cast<const char*>(digest.data()), length));
    text.resize(text.find_last_not_of('=') + 1);
    return "SHA256:" + text;
}

HostKeyCheck::HostKeyCheck(const SshSettings& settings)
    : settings_(settings),
      name_(settings.hostKeyAlias.empty() ? knownHostName(settings.host, settings.port)
                                          : settings.hostKeyAlias),
      known_(readKnownHosts(settings.knownHostsFiles)) {}

Result<void> HostKeyCheck::judge(const HostKey& key, CredentialProvider& credentials,
                                 const std::string& where) const {
    switch (checkHostKey(known_, name_, key)) {
        case HostKeyVerdict::Known:
            return {};
        case HostKeyVerdict::Changed:
            return fail(fmt::format("the host key of {} is another one than before: {} {}", name_, key.type,
                                    fingerprintOf(key)),
                        where,
                        "Somebody may be listening, or the machine was set up anew. If it was, remove the "
                        "old key with ssh-keygen -R " +
                            shellQuote(name_) + " and connect again.",
                        ErrorKind::Work);
        case HostKeyVerdict::Revoked:
            return fail(fmt::format("the host key of {} is marked as revoked", name_), where,
                        "Do not use this machine before its key was changed.", ErrorKind::Work);
        case HostKeyVerdict::Unknown:
            break;
    }
    return judgeNew(key, credentials, where);
}

Result<void> HostKeyCheck::judgeNew(const HostKey& key, CredentialProvider& credentials,
                                    const std::string& where) const {
    HostKeyDecision answer = HostKeyDecision::Refuse;
    if (settings_.newHostKeys == HostKeyPolicy::Accept) {
        answer = HostKeyDecision::TrustAndStore;
    } else if (settings_.newHostKeys == HostKeyPolicy::Ask && settings_.mayAsk) {
        answer = credentials.hostKey({.node = {},
                                      .host = name_,
                                      .type = key.type,
                                      .fingerprint = fingerprintOf(key),
                                      .file = settings_.knownHostsStore});
    }
    if (answer == HostKeyDecision::Refuse) {
        return fail(
            fmt::format("the host key of {} is not known: {} {}", name_, key.type, fingerprintOf(key)), where,
            "Compare it with the machine's own (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub there) and "
            "connect once with ssh " +
                shellQuote(settings_.alias) + ".",
            ErrorKind::Work);
    }
    if (answer == HostKeyDecision::TrustOnce || settings_.knownHostsStore.empty()) {
        return {};
    }
    return addKnownHost(settings_.knownHostsStore,
                        knownHostLine(settings_.hashKnownHosts ? hashedHostName(name_) : name_, key));
}

}  // namespace dlperf::remote
