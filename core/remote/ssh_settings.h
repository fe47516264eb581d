// SPDX-License-Identifier: Apache-2.0
// How to reach a host, as OpenSSH itself resolves its configuration (ssh -G): Include, Match, Host patterns.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

// What to do with the key of a host that is not known (StrictHostKeyChecking). A changed key is always
// refused.
enum class HostKeyPolicy { Ask, Refuse, Accept };

struct SshSettings {
    std::string alias;  // as the node says it
    std::string host;   // resolved
    int port = 22;
    std::string user;
    std::string hostKeyAlias;   // name to look for among the known hosts; empty: the host
    std::string proxyCommand;   // with its %-signs; empty: a connection of its own
    std::string proxyJump;      // hops, separated by commas
    std::string identityAgent;  // socket; empty: $SSH_AUTH_SOCK, "none": no agent
    bool identitiesOnly = false;
    std::vector<std::filesystem::path> identityFiles;    // some may not exist
    std::filesystem::path nodeKey;                       // the one that the node itself names; may be empty
    std::vector<std::filesystem::path> knownHostsFiles;  // the user's and the system's
    std::filesystem::path knownHostsStore;               // the user's first; empty: he wants none
    bool hashKnownHosts = false;
    HostKeyPolicy newHostKeys = HostKeyPolicy::Ask;
    bool mayUseKeys = true;
    bool mayUsePassword = true;
    bool mayUsePrompts = true;  // keyboard-interactive
    bool mayUseKerberos = false;
    bool mayAsk = true;  // false: BatchMode
    std::optional<Milliseconds> connectTime;
    bool nameIsKnown = false;  // it had an address before: one without is of a VPN that is away, not mistyped
    int aliveInterval = 0;     // seconds between questions to a silent host; 0: not said
    int aliveCount = 3;        // that may stay without an answer

    // How long a host may be silent by the configuration, at most a day; nothing where it does not say.
    [[nodiscard]] std::optional<Milliseconds> silence() const;
};

// The answer of ssh -G. What it does not say keeps its default.
[[nodiscard]] SshSettings sshSettingsFrom(std::string_view answer);

// Asks the system's ssh program. The node's own port, user and key go before its configuration's. It may run
// commands of the user's (Match exec), so not on a thread that must not wait.
[[nodiscard]] Result<SshSettings> askSshSettings(const cluster::Node& node, const Limits& limits);

// Fills in "address" and "port" of a node over SSH that does not say them: an alias of this machine's SSH
// configuration means nothing on the nodes.
[[nodiscard]] Result<void> resolveAddress(cluster::Node& node, const Limits& limits);

// What the node says itself, as options of ssh's command line: " -p 2222 -l 'ada'".
[[nodiscard]] std::string sshArguments(const cluster::Node& node);

// What a route can say before anybody has logged in.
[[nodiscard]] cluster::Route routeOf(const SshSettings& settings, std::string way);

// The command that carries the connection, as text for /bin/sh: the proxy command with its signs replaced, or
// for jumps the system's ssh. Empty where none is needed.
[[nodiscard]] std::string proxyCommandOf(const SshSettings& settings);

}  // namespace dlperf::remote
