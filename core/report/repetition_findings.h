// SPDX-License-Identifier: Apache-2.0
// What stands out among the repetitions of one cell.
#pragma once

#include "core/report/comparison.h"

namespace dlperf::report {

// Outlier: a repetition that does not belong to the others (core/analysis/robust.h), by its number. Wide
// spread: their robust standard deviation is above 1 % of the median, which one in eight of the cases that
// DLPerf published exceeds. Average and median disagree: by more than 2.5 % of the median. Versions differ:
// what decides speed was not the same in all repetitions. Window changed
// afterwards: the user had some of its logs measured in another one than they were run with.
[[nodiscard]] std::vector<CellFinding> repetitionFindings(const Cell& cell);

}  // namespace dlperf::report
