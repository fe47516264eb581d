// SPDX-License-Identifier: Apache-2.0
// What stands out in a comparison, marked on the cells that it is about.
#pragma once

#include "core/report/comparison.h"

namespace dlperf::report {

// All that repetitions (repetition_findings.h) and series (series_findings.h) show, added to what folding a
// cell has found.
void markFindings(Comparison& comparison);

// The width of the cell's range over its median; nothing where there is no range.
[[nodiscard]] std::optional<double> spreadOf(const Cell& cell);

}  // namespace dlperf::report
