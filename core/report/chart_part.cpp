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

ChartSpec translated(ChartSpec chart, const Translation& language) {
    if (language.isEnglish()) {
        return chart;
    }
    const auto translate = [&](std::string& text) { text = language(text); };
    translate(chart.title);
    translate(chart.unit);
    translate(chart.x.title);
    translate(chart.y.title);
    for (Series& series : chart.series) {
        translate(series.title);
        translate(series.endLabel);
        for (Point& point : series.points) {
            translate(point.label);
            translate(point.tip);
            translate(point.finding);
        }
    }
    for (Region& region : chart.regions) {
        translate(region.label);
    }
    for (std::string& text : chart.warnings) {
        translate(text);
    }
    return chart;
}

}  // namespace dlperf::report
