// SPDX-License-Identifier: Apache-2.0
// Throughput per iteration of one run: one line a node, the warmup shaded, and the median of what has been
// measured so far.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/model/case.h"
#include "core/report/chart_spec.h"

namespace dlperf::report {

struct NodeIterations {
    std::string node;                             // its name
    std::vector<analysis::Iteration> iterations;  // in log order
};

// More points than a screen has columns tell nothing more.
inline constexpr std::size_t livePoints = 2000;

// Iterations without a throughput are left out. A line that starts again from a lower number (a restarted
// trainer) goes on from there only.
[[nodiscard]] ChartSpec liveThroughput(const std::vector<NodeIterations>& nodes, const Window& window,
                                       const std::string& unit);

// At most `most` points (4 or more) with the first, the last and, of each stretch, the lowest and the
// highest: no spike is lost. Points keep their order; fewer points come back as they are.
[[nodiscard]] std::vector<Point> decimated(const std::vector<Point>& points, std::size_t most);

// For each point the median of all y up to it.
[[nodiscard]] std::vector<Point> runningMedian(const std::vector<Point>& points);

}  // namespace dlperf::report
