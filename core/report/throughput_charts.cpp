// SPDX-License-Identifier: Apache-2.0
// Throughput per topology as bars, over the batch size as lines, and how repetitions spread around their
// median.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/base/mapped.h"
#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "core/report/series_points.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

// Of a time there is no share for each device.
double shareOf(const Comparison& comparison, const Cell& cell, const ChartOptions& options) {
    return options.perDevice && !showsTimes(comparison) ? 1.0 / cell.topology.worldSize() : 1.0;
}

// One label a group: on its best bar.
void labelBest(std::vector<Series>& series, bool lowest) {
    std::map<double, Point*> best;
    for (Series& one : series) {
        for (Point& point : one.points) {
            if (point.missing || point.y <= 0) {
                continue;
            }
            Point*& leader = best[point.x];
            const bool better = leader == nullptr || (lowest ? point.y < leader->y : point.y > leader->y);
            leader = better ? &point : leader;
        }
    }
    for (auto& [x, point] : best) {
        point->label = brief(point->y);
    }
}

ChartSpec emptyChart(const Comparison& comparison, const Vocabulary& vocabulary,
                     const std::vector<const ComparedSeries*>& visible, const ChartOptions& options,
                     ChartKind kind) {
    ChartSpec chart;
    chart.title = showsTimes(comparison) ? "Time"
                  : options.perDevice    ? "Throughput per device"
                                         : "Throughput";
    chart.unit = unitOf(visible);
    chart.kind = kind;
    chart.y.lowest = 0;
    chart.warnings = warningTexts(warningsOf(comparison, vocabulary, options.hidden));
    return chart;
}

// From the smallest to the largest batch size, with room for whole markers: a doubling is a step, and an axis
// from 1 on would be empty for most of it.
void fitBatchAxis(ChartSpec& chart) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const Series& series : chart.series) {
        for (const Point& point : series.points) {
            smallest = std::min(smallest, point.x);
            largest = std::max(largest, point.x);
        }
    }
    if (largest > 0) {
        const bool logarithmic = chart.x.scale == AxisScale::Log2;
        const double room = smallest == largest ? 2.2 : 1.5;  // two doublings at least have a tick
        chart.x.lowest = logarithmic ? smallest / room : 0;
        chart.x.highest = logarithmic ? largest * room : largest * 1.08;
    }
}

// The line that a series belongs to when the batch size is on the axis.
SeriesKey withoutBatch(SeriesKey key) {
    key.configuration.batchSize = 0;
    return key;
}

using BarOf = std::function<std::optional<Point>(const ComparedSeries&, const Cell&, double x)>;

void addBars(ChartSpec& chart, const Comparison& comparison,
             const std::vector<const ComparedSeries*>& visible, const BarOf& barOf) {
    chart.x = topologyAxis(comparison);
    for (const ComparedSeries* series : visible) {
        Series bars = chartSeries(*series);
        for (std::size_t i = 0; i < series->cells.size(); ++i) {
            if (auto point = barOf(*series, series->cells[i], static_cast<double>(i))) {
                bars.points.push_back(*std::move(point));
            }
        }
        chart.series.push_back(std::move(bars));
    }
}

// Of a bar, or of a line over batch sizes.
std::optional<Point> throughputPoint(const Comparison& comparison, const ComparedSeries& series,
                                     const Cell& cell, const ChartOptions& options, double x) {
    return cell.fold.median ? pointOf(series, cell, comparison.spread, x, shareOf(comparison, cell, options))
                            : missingPoint(series, cell, comparison.spread, x);
}

constexpr double leastShown = 0.5;  // percent: an axis that shows less makes noise look like news

// Not the one that is shown: rounded, it would lie beside the repetition that it is.
double exactMedian(const std::vector<double>& figures) {
    return analysis::fold(figures, {.roundOnlyOnOutput = true}).median.value_or(0);
}

}  // namespace

ChartSpec throughputBars(const Comparison& comparison, const Vocabulary& vocabulary,
                         const ChartOptions& options) {
    const auto visible = visibleSeries(comparison, options);
    ChartSpec chart = emptyChart(comparison, vocabulary, visible, options, ChartKind::Bars);
    addBars(chart, comparison, visible, [&](const ComparedSeries& series, const Cell& cell, double x) {
        return throughputPoint(comparison, series, cell, options, x);
    });
    labelBest(chart.series, showsTimes(comparison));
    return chart;
}

ChartSpec memoryBars(const Comparison& comparison, const Vocabulary& vocabulary,
                     const ChartOptions& options) {
    const auto visible = visibleSeries(comparison, options);
    ChartSpec chart = emptyChart(comparison, vocabulary, visible, options, ChartKind::Bars);
    chart.title = "Memory of a device";
    chart.unit = "MB";
    addBars(chart, comparison, visible, [&](const ComparedSeries& series, const Cell& cell, double x) {
        return cell.memoryMb
                   ? std::optional(
                         Point{.x = x, .y = *cell.memoryMb, .tip = tipOf(series, cell, comparison.spread)})
                   : std::nullopt;
    });
    labelBest(chart.series, true);
    return chart;
}

std::optional<Topology> batchTopology(const Comparison& comparison) {
    for (std::size_t i = comparison.topologies.size(); i-- > 0;) {
        std::map<SeriesKey, int> sizes;
        for (const ComparedSeries& series : comparison.series) {
            if (series.cells[i].fold.median && ++sizes[withoutBatch(series.key)] > 1) {
                return comparison.topologies[i];
            }
        }
    }
    return comparison.topologies.empty() ? std::nullopt : std::optional(comparison.topologies.back());
}

ChartSpec throughputOverBatchSize(const Comparison& comparison, const Vocabulary& vocabulary,
                                  const Topology& topology, const ChartOptions& options) {
    const auto visible = visibleSeries(comparison, options);
    ChartSpec chart = emptyChart(comparison, vocabulary, visible, options, ChartKind::Lines);
    chart.warnings = warningTexts(warningsOverBatchSize(comparison, vocabulary, options.hidden));
    chart.title += " over batch size, " + toString(topology);
    chart.x = {.title = "Batch size per device",
               .scale = options.logAxes ? AxisScale::Log2 : AxisScale::Linear};
    std::map<SeriesKey, Series> lines;
    for (const ComparedSeries* series : visible) {
        const Cell* cell = findCell(*series, topology);
        const int batch = series->key.configuration.batchSize;
        if (cell == nullptr || batch <= 0) {
            continue;
        }
        if (auto point = throughputPoint(comparison, *series, *cell, options, batch)) {
            Series& line = lines.try_emplace(withoutBatch(series->key), chartSeries(*series)).first->second;
            line.points.push_back(*std::move(point));
        }
    }
    const auto keys = mapped(lines, [](const auto& entry) { return entry.first; });
    const Titles titles = titlesOf(keys, vocabulary);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        Series line = std::move(lines[keys[i]]);
        line.title = titles.series[i];
        std::ranges::sort(line.points, [](const Point& a, const Point& b) { return a.x < b.x; });
        chart.series.push_back(std::move(line));
    }
    labelEnds(chart.series, brief);
    fitBatchAxis(chart);
    return chart;
}

ChartSpec repetitionDots(const Comparison& comparison, const Vocabulary&, const ChartOptions& options) {
    ChartSpec chart;
    chart.title = "Spread of repetitions";
    chart.unit = comparison.spread == Spread::MinToMax ? "off the median" : "off the median, 95 % interval";
    chart.kind = ChartKind::Dots;
    chart.x = topologyAxis(comparison);
    chart.y.numbers = NumberStyle::Percent;
    double widest = 0;
    for (const ComparedSeries* series : visibleSeries(comparison, options)) {
        Series dots = chartSeries(*series);
        for (std::size_t i = 0; i < series->cells.size(); ++i) {
            const Cell& cell = series->cells[i];
            const double median = cell.repetitions.size() > 1 ? exactMedian(cell.repetitions) : 0;
            if (!(median > 0)) {
                continue;
            }
            const auto off = [&](double figure) { return (figure / median - 1) * 100; };
            Point point = pointOf(*series, cell, comparison.spread, static_cast<double>(i), 1);
            point.y = 0;
            for (std::optional<double>* end : {&point.low, &point.high}) {
                *end = *end ? std::optional(off(**end)) : std::nullopt;
            }
            for (double& single : point.singles) {
                single = off(single);
                widest = std::max(widest, std::abs(single));
            }
            dots.points.push_back(std::move(point));
        }
        if (!dots.points.empty()) {  // others would take the room of a column
            chart.series.push_back(std::move(dots));
        }
    }
    if (widest <= leastShown) {
        chart.y.lowest = -leastShown;
        chart.y.highest = leastShown;
    }
    return chart;
}

}  // namespace dlperf::report
