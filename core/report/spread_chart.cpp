// SPDX-License-Identifier: Apache-2.0
// How the repetitions of each case spread around their median.
#include <algorithm>
#include <cmath>

#include "core/report/comparison.h"
#include "core/report/series_points.h"

namespace dlperf::report {
namespace {

constexpr double leastShown = 0.5;  // percent: an axis that shows less makes noise look like news

// Not the one that is shown: rounded, it would lie beside the repetition that it is.
double exactMedian(const std::vector<double>& figures) {
    return analysis::fold(figures, {.roundOnlyOnOutput = true}).median.value_or(0);
}

}  // namespace

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
