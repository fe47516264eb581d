// SPDX-License-Identifier: Apache-2.0
// What stands out in a comparison, marked on the cell that it is about.
#pragma once

#include "core/report/comparison.h"

namespace dlperf::report {

// Wide spread: the repetitions of a cell lie further apart than 2.5 % of their median (DLPerf's own
// repetitions mostly stay below). Scaling loss: the first topology where a series' efficiency is more than 10
// points below the median of the others'; with fewer than 3 others there is nothing to hold it against.
// Versions differ: what decides speed was not the same in all repetitions.
void markFindings(Comparison& comparison);

// The width of the cell's range over its median; nothing where there is no range.
[[nodiscard]] std::optional<double> spreadOf(const Cell& cell);

}  // namespace dlperf::report
