// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "core/run/status.h"

namespace dlperf::ui {

// How long a campaign may still take: each run to come as long as those of its case took, else as those of
// any case did. Nothing before the first run has ended.
[[nodiscard]] std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time);

}  // namespace dlperf::ui
