// SPDX-License-Identifier: Apache-2.0
// Spread and outliers of a few repetitions, by the median absolute deviation: one wild figure moves neither
// the yardstick nor the judgement of the others, as it would with a standard deviation (Hampel 1974).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dlperf::analysis {

// 1.4826 times the median absolute deviation, over the median: what the standard deviation of figures that
// are normally distributed would be, as a fraction. Nothing for fewer than two figures, one that is not
// finite, or a median that is not positive.
[[nodiscard]] std::optional<double> robustDeviation(std::span<const double> figures);

inline constexpr std::size_t fewestForOutliers =
    5;  // of fewer, which one is the odd one is a matter of taste

// Places of the figures that do not belong to the others: a modified z score above 3.5 (Iglewicz and Hoaglin
// 1993), and more than 2 % off the median, since a deviation of nearly nothing makes outliers of harmless
// figures. Rising; empty for fewer than five figures.
[[nodiscard]] std::vector<std::size_t> outliersOf(std::span<const double> figures);

}  // namespace dlperf::analysis
