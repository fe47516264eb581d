// SPDX-License-Identifier: Apache-2.0
#include "core/remote/host_key_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::remote {
namespace {

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
    return answer == HostKeyDecision::TrustAndStore ? store(key) : Result<void>();
}

Result<void> HostKeyCheck::store(const HostKey& key) const {
    if (settings_.knownHostsStore.empty()) {
        return {};
    }
    return addKnownHost(settings_.knownHostsStore,
                        knownHostLine(settings_.hashKnownHosts ? hashedHostName(name_) : name_, key));
}

}  // namespace dlperf::remote
