// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/report/chart_spec.h"

namespace dlperf::report {
namespace {

void keepCategories(ChartSpec& chart, const ChartRange& range) {
    const auto count = static_cast<double>(chart.x.categories.size());
    const double first = std::clamp(std::round(range.from), 0.0, count);
    const double beyond = std::clamp(std::round(range.to) + 1, first, count);
    const auto begin = chart.x.categories.begin();
    chart.x.categories =
        std::vector(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(beyond));
    for (Series& series : chart.series) {
        std::erase_if(series.points,
                      [&](const Point& point) { return point.x < first || point.x >= beyond; });
        for (Point& point : series.points) {
            point.x -= first;
        }
    }
}

void keepRange(Axis& axis, const std::optional<ChartRange>& range) {
    if (range) {
        axis.lowest = range->from;
        axis.highest = range->to;
    }
}

}  // namespace

ChartSpec partOf(ChartSpec chart, const ChartPart& part) {
    if (part.x && chart.x.scale == AxisScale::Categories) {
        keepCategories(chart, *part.x);
    } else {
        keepRange(chart.x, part.x);
    }
    keepRange(chart.y, part.y);
    return chart;
}

}  // namespace dlperf::report
