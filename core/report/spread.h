// SPDX-License-Identifier: Apache-2.0
// The choice of what is shown of the repetitions of a case: their extremes, or how far their median can be
// trusted.
#pragma once

#include <string>

#include "core/report/comparison.h"

namespace dlperf::report {

// The ranges of all cells as the choice says. Findings stay: they are about the extremes.
[[nodiscard]] Comparison withSpread(Comparison comparison, Spread spread);

// A cell's range in words: "11,283.49 to 11,461.68", "median within 11,300.00 to 11,400.00 (95 %)"; or why
// there is none. Of a cell with repetitions.
[[nodiscard]] std::string rangeText(const Cell& cell, Spread spread);

// "median within 11,300.00 to 11,400.00 (95 %)", of a cell that has the interval of its median.
[[nodiscard]] std::string intervalText(const Cell& cell);

// Why a cell that has repetitions has no range; empty where it has one.
[[nodiscard]] std::string whyNoRange(const Cell& cell, Spread spread);

}  // namespace dlperf::report
