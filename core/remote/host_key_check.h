// SPDX-License-Identifier: Apache-2.0
// Whether a host is the one that the user knows. A key that changed is always refused; for one that is new
// the user is asked.
#pragma once

#include "core/remote/credentials.h"
#include "core/remote/known_hosts.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

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
    [[nodiscard]] Result<void> store(const HostKey& key) const;

    const SshSettings& settings_;
    std::string name_;  // as it stands in the files
    std::vector<KnownHost> known_;
};

}  // namespace dlperf::remote
