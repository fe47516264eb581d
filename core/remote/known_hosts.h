// SPDX-License-Identifier: Apache-2.0
// known_hosts as sshd(8) describes it: plain and hashed names, ports, patterns, revoked keys. Lines that
// cannot be read are passed over, since one bad line must not make every host a stranger. libssh2's own
// reader knows neither patterns nor revoked keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/remote/credentials.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

struct HostKey {
    std::string type;  // "ssh-ed25519"
    std::string blob;  // the key's bytes
};

struct KnownHost {
    std::vector<std::string> names;  // patterns; hashed ones begin with "|1|", a leading "!" excludes
    HostKey key;
    bool revoked = false;
};

enum class HostKeyVerdict {
    Known,
    Unknown,  // neither this host nor another key of it is known
    Changed,  // the host is known by a key of this type, and this is another one
    Revoked,
};

[[nodiscard]] std::vector<KnownHost> parseKnownHosts(std::string_view text);

// The name under which a host stands in the file: "[host]:port" where the port is not 22.
[[nodiscard]] std::string knownHostName(const std::string& host, int port);

[[nodiscard]] HostKeyVerdict checkHostKey(const std::vector<KnownHost>& known, const std::string& name,
                                          const HostKey& key);

// Types of the keys that are known for this host: what to ask the server for, since a key of another type
// would look like a stranger's.
[[nodiscard]] std::vector<std::string> knownKeyTypes(const std::vector<KnownHost>& known,
                                                     const std::string& name);

// The algorithms by which a host proves that it has a key of this type, the best first: an RSA key has
// several.
[[nodiscard]] std::vector<std::string> hostKeyAlgorithms(const std::string& type);

// A line for the file, without its end.
[[nodiscard]] std::string knownHostLine(const std::string& name, const HostKey& key);

// The name as HashKnownHosts wants it: who reads the file does not learn where its owner logs in.
[[nodiscard]] std::string hashedHostName(const std::string& name);

// Appends a line to the user's file, which is made with its folder where there is none. A Work error where it
// cannot be written.
[[nodiscard]] Result<void> addKnownHost(const std::filesystem::path& file, const std::string& line);

// "SHA256:…", as ssh prints it.
[[nodiscard]] std::string fingerprintOf(const HostKey& key);

// Whether a host is the one that the user knows. A key that changed is always refused; for one that is new
// the user is asked.
class HostKeyCheck {
public:
    explicit HostKeyCheck(const SshSettings& settings);

    // Types of the keys that this host is known by: what to ask it for.
    [[nodiscard]] std::vector<std::string> knownTypes() const { return knownKeyTypes(known_, name_); }
    // An error of kind Work says what the user can do. A new key that the user trusts is stored if he wants.
    [[nodiscard]] Result<void> judge(const HostKey& key, CredentialProvider& credentials,
                                     const std::string& where) const;

private:
    [[nodiscard]] Result<void> judgeNew(const HostKey& key, CredentialProvider& credentials,
                                        const std::string& where) const;

    const SshSettings& settings_;
    std::string name_;  // as it stands in the files
    std::vector<KnownHost> known_;
};

}  // namespace dlperf::remote
