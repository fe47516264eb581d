// SPDX-License-Identifier: Apache-2.0
// Speedup over one device and scaling efficiency, over the number of devices.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "core/report/report.h"
#include "core/report/series_points.h"

namespace dlperf::report {
namespace {

// Room beyond 1 and beyond the largest world size, so that end markers are whole: 0.88 to 35 for 32 devices.
constexpr double belowOne = 0.88;
constexpr double roomAbove = 35.0 / 32.0;

// What a line shows of a cell, and how far that can be trusted.
struct Shown {
    std::function<std::optional<double>(const Cell&)> value;
    std::function<std::optional<analysis::Interval>(const Cell&)> interval;
};

int largestWorld(const Comparison& comparison) {
    return comparison.topologies.empty() ? 2 : std::max(2, comparison.topologies.back().worldSize());
}

std::vector<Series> linesOf(const Comparison& comparison, const ChartOptions& options, const Shown& shown) {
    std::vector<Series> lines;
    for (const ComparedSeries* series : visibleSeries(comparison, options)) {
        Series line = chartSeries(*series);
        for (const Cell& cell : series->cells) {
            const auto x = static_cast<double>(cell.topology.worldSize());
            const auto y = shown.value(cell);
            if (y && std::isfinite(*y) && *y > 0) {  // nothing else has a place on a logarithmic axis
                line.points.push_back(pointOf(*series, cell, comparison.spread, x, *y / *cell.fold.median));
                Point& point = line.points.back();
                point.y = *y;                                   // to the last bit
                if (comparison.spread == Spread::Confidence) {  // of the ratio: the base is uncertain, too
                    const auto interval = shown.interval(cell);
                    point.low = interval ? std::optional(interval->low) : std::nullopt;
                    point.high = interval ? std::optional(interval->high) : std::nullopt;
                }
            } else if (auto point = missingPoint(*series, cell, comparison.spread, x)) {
                line.points.push_back(*std::move(point));
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Series idealLine(double fromX, double fromY, double toX, double toY) {
    return {.key = "ideal",
            .title = "ideal",
            .framework = {},
            .role = SeriesRole::Ideal,
            .points = {{.x = fromX, .y = fromY}, {.x = toX, .y = toY}}};
}

Axis deviceAxis(const Comparison& comparison, const ChartOptions& options) {
    const double highest = largestWorld(comparison) * roomAbove;
    return {.title = "Number of devices",
            .scale = options.logAxes ? AxisScale::Log2 : AxisScale::Linear,
            .numbers = NumberStyle::Plain,
            .categories = {},
            .lowest = options.logAxes ? belowOne : 0,
            .highest = highest};
}

double highestPoint(const std::vector<Series>& lines) {
    double highest = 0;
    for (const Series& line : lines) {
        for (const Point& point : line.points) {
            highest = point.missing ? highest : std::max(highest, point.y);
        }
    }
    return highest;
}

double lowestPoint(const std::vector<Series>& lines, double from) {
    for (const Series& line : lines) {
        for (const Point& point : line.points) {
            from = point.missing ? from : std::min(from, point.y);
        }
    }
    return from;
}

std::optional<double> percentOfEfficiency(const Cell& cell) {
    return cell.efficiency ? std::optional(*cell.efficiency * 100) : std::nullopt;
}

std::optional<analysis::Interval> percentsOfInterval(const Cell& cell) {
    return cell.efficiencyInterval ? std::optional(analysis::Interval{cell.efficiencyInterval->low * 100,
                                                                      cell.efficiencyInterval->high * 100})
                                   : std::nullopt;
}

}  // namespace

ChartSpec speedupLines(const Comparison& comparison, const Vocabulary& vocabulary,
                       const ChartOptions& options) {
    ChartSpec chart;
    chart.title = "Speedup";
    chart.unit = speedupBaseText(comparison);
    chart.warnings = warningTexts(warningsOf(comparison, vocabulary, options.hidden));
    chart.x = deviceAxis(comparison, options);
    auto lines = linesOf(comparison, options,
                         {[](const Cell& cell) { return cell.speedup; },
                          [](const Cell& cell) { return cell.speedupInterval; }});
    labelEnds(lines, [](double value) { return times(value, 1); });
    const double ideal = largestWorld(comparison);
    chart.y = chart.x;
    chart.y.title.clear();
    chart.y.numbers = NumberStyle::Times;
    chart.y.highest = std::max(ideal, highestPoint(lines)) * roomAbove;
    if (options.logAxes) {
        chart.y.lowest = lowestPoint(lines, 1) * belowOne;  // a loss against one device is shown, too
    }
    chart.series.push_back(idealLine(1, 1, ideal, ideal));
    std::ranges::move(lines, std::back_inserter(chart.series));
    return chart;
}

ChartSpec efficiencyLines(const Comparison& comparison, const Vocabulary& vocabulary,
                          const ChartOptions& options) {
    ChartSpec chart;
    chart.title = "Scaling efficiency";
    chart.unit = "speedup over devices";
    chart.warnings = warningTexts(warningsOf(comparison, vocabulary, options.hidden));
    chart.x = deviceAxis(comparison, options);
    auto lines = linesOf(comparison, options, {percentOfEfficiency, percentsOfInterval});
    labelEnds(lines, [](double value) { return percent(value / 100); });
    chart.y.numbers = NumberStyle::Percent;
    chart.y.lowest = 0;
    chart.y.highest = std::max(105.0, highestPoint(lines) * 1.05);
    chart.series.push_back(idealLine(1, 100, largestWorld(comparison), 100));
    std::ranges::move(lines, std::back_inserter(chart.series));
    return chart;
}

}  // namespace dlperf::report
