// SPDX-License-Identifier: Apache-2.0
// Which process exactly: a pid alone is reused, and a machine restarts. The same boot, pid and start time is
// the same process; it is alive when it is no zombie (not every init reaps).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace dlperf::run {

struct Identity {
    std::string boot;         // /proc/sys/kernel/random/boot_id
    std::int64_t pid = 0;     // process and, for a trainer, process group and session
    std::uint64_t start = 0;  // clock ticks since boot, field 22 of /proc/<pid>/stat

    friend bool operator==(const Identity&, const Identity&) = default;
};

[[nodiscard]] Json toJson(const Identity& identity);
[[nodiscard]] std::optional<Identity> identityFromJson(const Json& json);
// "<pid> <start> <boot>", as the wrapper on a node writes it.
[[nodiscard]] std::optional<Identity> parseIdentity(std::string_view line);

// What /proc/<pid>/stat says; the command's name in it may hold anything, so fields count from its last ")".
struct ProcessState {
    char state = '?';
    std::uint64_t start = 0;
};
[[nodiscard]] std::optional<ProcessState> parseProcessState(std::string_view stat);
[[nodiscard]] bool isAlive(const Identity& identity, std::string_view boot, std::string_view stat);

// Of processes on this machine.
[[nodiscard]] std::optional<Identity> ownIdentity();
[[nodiscard]] bool isAliveHere(const Identity& identity);

}  // namespace dlperf::run
