// SPDX-License-Identifier: Apache-2.0
// Repetitions until the median of a case is known well enough: whether another one is wanted, from the
// figures that are there.
#pragma once

#include <optional>
#include <span>

#include "core/base/json.h"

namespace dlperf::launch {

inline constexpr int mostRepetitions = 1000;  // of a case

// The 95 % interval of the median (see analysis/median_interval.h), from end to end, is to be at most so
// wide.
struct RepeatUntil {
    double percent = 2;  // of the median
    int most = 20;       // runs of a case
    friend bool operator==(const RepeatUntil&, const RepeatUntil&) = default;
};

// "until" of a plan or a campaign: {"width": "2%", "most": 20}; nothing without one. Errors go to the reader.
[[nodiscard]] std::optional<RepeatUntil> repeatUntilFromJson(JsonReader& reader);
[[nodiscard]] Json toJson(const RepeatUntil& until);

// The width of the interval over the median; nothing for too few figures to have one.
[[nodiscard]] std::optional<double> intervalWidth(std::span<const double> figures);
[[nodiscard]] bool wantsAnother(const RepeatUntil& until, std::span<const double> figures);

}  // namespace dlperf::launch
