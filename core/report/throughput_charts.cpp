// SPDX-License-Identifier: Apache-2.0
// Throughput per topology as bars, and how repetitions spread around their median.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "core/report/numbers.h"
#include "core/report/series_points.h"

namespace dlperf::report {
namespace {

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

// What the bars at a topology are divided by; nothing where that has no figure.
std::optional<double> referenceAt(const Comparison& comparison, const Topology& topology,
                                  const ChartOptions& options) {
    const auto chosen = std::ranges::find(comparison.series, options.relativeTo, &ComparedSeries::id);
    const ComparedSeries* series =
        chosen != comparison.series.end() ? &*chosen : bestAt(comparison, topology, options.hidden);
    const Cell* cell = series == nullptr ? nullptr : findCell(*series, topology);
    return cell != nullptr && cell->fold.median.value_or(0) > 0 ? cell->fold.median : std::nullopt;
}

// Figures of one's own stay readable beside published ones that are a hundred times as high.
ChartSpec relativeBars(const Comparison& comparison, const Vocabulary& vocabulary,
                       const ChartOptions& options) {
    const auto visible = visibleSeries(comparison, options);
    const auto chosen = std::ranges::find(comparison.series, options.relativeTo, &ComparedSeries::id);
    ChartSpec chart = throughputChart(comparison, vocabulary, visible, options, ChartKind::Bars);
    chart.unit = chosen != comparison.series.end() ? "relative to " + chosen->title
                 : showsTimes(comparison)          ? "relative to the shortest"
                                                   : "relative to the fastest";
    chart.y.numbers = NumberStyle::Times;
    addBars(chart, comparison, visible,
            [&](const ComparedSeries& series, const Cell& cell, double x) -> std::optional<Point> {
                const auto reference = referenceAt(comparison, cell.topology, options);
                if (!cell.fold.median) {
                    return missingPoint(series, cell, comparison.spread, x);
                }
                return reference ? std::optional(pointOf(series, cell, comparison.spread, x, 1 / *reference))
                                 : std::nullopt;
            });
    if (chosen != comparison.series.end()) {  // else the best is 1.00 everywhere
        labelBars(chart.series, showsTimes(comparison), [](double ratio) { return times(ratio); });
    }
    if (options.logFigures) {
        useLogFigures(chart);
    }
    return chart;
}

constexpr double leastShown = 0.5;  // percent: an axis that shows less makes noise look like news

// Not the one that is shown: rounded, it would lie beside the repetition that it is.
double exactMedian(const std::vector<double>& figures) {
    return analysis::fold(figures, {.roundOnlyOnOutput = true}).median.value_or(0);
}

}  // namespace

ChartSpec throughputBars(const Comparison& comparison, const Vocabulary& vocabulary,
                         const ChartOptions& options) {
    if (options.relative) {
        return relativeBars(comparison, vocabulary, options);
    }
    const auto visible = visibleSeries(comparison, options);
    ChartSpec chart = throughputChart(comparison, vocabulary, visible, options, ChartKind::Bars);
    addBars(chart, comparison, visible, [&](const ComparedSeries& series, const Cell& cell, double x) {
        return throughputPoint(comparison, series, cell, options, x);
    });
    labelBars(chart.series, showsTimes(comparison));
    if (options.logFigures) {
        useLogFigures(chart);
    }
    return chart;
}

ChartSpec memoryBars(const Comparison& comparison, const Vocabulary& vocabulary,
                     const ChartOptions& options) {
    const auto visible = visibleSeries(comparison, options);
    ChartSpec chart = throughputChart(comparison, vocabulary, visible, options, ChartKind::Bars);
    chart.title = "Peak memory per device";
    chart.unit = "MB";
    addBars(chart, comparison, visible, [&](const ComparedSeries& series, const Cell& cell, double x) {
        return cell.memoryMb
                   ? std::optional(
                         Point{.x = x, .y = *cell.memoryMb, .tip = tipOf(series, cell, comparison.spread)})
                   : std::nullopt;
    });
    labelBars(chart.series, true);
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
