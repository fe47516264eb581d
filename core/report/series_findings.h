// SPDX-License-Identifier: Apache-2.0
// What stands out along a series and between series: pure functions of a folded comparison.
#pragma once

#include <vector>

#include "core/report/comparison.h"

namespace dlperf::report {

// By cell of the series, in their order.
using SeriesFindings = std::vector<std::vector<CellFinding>>;

// Missing figure: a run ended without one, or a source announces it (TODO, OOM). Throughput falls: the median
// is more than 0.5 % below that of fewer devices, unless the repetitions of both do not tell them apart.
// Super-linear: an efficiency above 102 % whose interval, if it has one, lies above 100 %. No 1n1g figure:
// said once, at the smallest topology that has a figure, of a series that has more than one device somewhere.
// Of a figure that is better when it is lower only the missing ones are told.
[[nodiscard]] SeriesFindings findingsAlong(const ComparedSeries& series);

// Scaling loss: the first topology where the efficiency of the series is more than 10 points below the median
// of the others'; with fewer than 3 others there is nothing to hold it against.
void markScalingLoss(Comparison& comparison);

// Identical figures: two series of different cases have three common topologies or more with a figure, and
// the same figure to the last digit on all of them.
void markIdentical(Comparison& comparison);

}  // namespace dlperf::report
