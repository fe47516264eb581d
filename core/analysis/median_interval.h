// SPDX-License-Identifier: Apache-2.0
// How far the median of a case can be trusted: the percentile bootstrap (Efron 1979). Resamples are not
// drawn: for a median their distribution can be written down, so the interval is the one that endless drawing
// would end at, and the same figure on every machine.
#pragma once

#include <optional>
#include <span>

namespace dlperf::analysis {

struct Interval {
    double low = 0;
    double high = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
};

inline constexpr std::size_t fewestForInterval = 5;  // below, resamples know hardly more than the extremes
inline constexpr double confidence = 0.95;

// Where 95 % of the medians of resamples lie, in the unit of the figures. Nothing for fewer than five figures
// or one that is not finite.
[[nodiscard]] std::optional<Interval> medianInterval(std::span<const double> figures);

}  // namespace dlperf::analysis
