// SPDX-License-Identifier: Apache-2.0
// How far the clock of a node is from this machine's.
#pragma once

#include <optional>
#include <string_view>

namespace dlperf::cluster {

// A node's clock lies within `doubt` of the answer: half the time that asking took. Seconds.
struct Clock {
    double ahead = 0;  // negative: behind
    double doubt = 0;
};

// The command that prints a node's time.
inline constexpr const char* clockScript = "date +%s.%N";

// What it printed, when it was asked and when the answer was there: seconds since 1970 by this machine's
// clock. Nothing for what is no time; a date(1) without fractions is good for a second.
[[nodiscard]] std::optional<Clock> clockOf(std::string_view printed, double asked, double answered);

}  // namespace dlperf::cluster
