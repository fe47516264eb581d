// SPDX-License-Identifier: Apache-2.0
// What a run's journal remembers, so that a new runner takes the run up where the old one was.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/journal.h"
#include "core/run/node_run.h"
#include "core/run/outcome.h"

namespace dlperf::run {

struct RunMemory {
    std::optional<TimePoint> began;       // the first event
    std::optional<TimePoint> starting;    // trainers may run from here on
    std::map<std::size_t, Claim> claims;  // by node rank
    std::map<std::size_t, Identity> identities;
    std::optional<int> masterPort;
    std::optional<End> end;  // it was decided that the run ends, and why
};

[[nodiscard]] RunMemory recall(const std::vector<Json>& events);

[[nodiscard]] Json claimedEvent(std::size_t rank, const Claim& claim);
[[nodiscard]] Json startedEvent(std::size_t rank, const Identity& identity);
[[nodiscard]] Json portEvent(int port);
[[nodiscard]] Json startingEvent();
[[nodiscard]] Json stoppingEvent(const End& end);

}  // namespace dlperf::run
