// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/report/comparison.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

// Of a time there is no share for each device.
double shareOf(const Comparison& comparison, const Cell& cell, const ChartOptions& options) {
    return options.perDevice && !showsTimes(comparison) ? 1.0 / cell.topology.worldSize() : 1.0;
}

}  // namespace

std::vector<const ComparedSeries*> visibleSeries(const Comparison& comparison, const ChartOptions& options) {
    std::vector<const ComparedSeries*> visible;
    const bool times = showsTimes(comparison);
    for (const ComparedSeries& series : comparison.series) {
        if (!options.hidden.contains(series.id) && lowerIsBetter(series.unit) == times) {
            visible.push_back(&series);
        }
    }
    return visible;
}

bool showsTimes(const Comparison& comparison) {
    const auto times = std::ranges::count_if(
        comparison.series, [](const ComparedSeries& series) { return lowerIsBetter(series.unit); });
    return 2 * static_cast<std::size_t>(times) > comparison.series.size();
}

std::string lookFramework(const Configuration& configuration) {
    return configuration.framework.empty() ? unknownFramework : configuration.framework;
}

Series chartSeries(const ComparedSeries& series) {
    return {.key = series.id,
            .title = series.title,
            .framework = series.position ? std::string() : lookFramework(series.key.configuration),
            .fill = series.position.value_or(series.fill),
            .role = SeriesRole::Data,
            .points = {}};
}

Axis topologyAxis(const Comparison& comparison) {
    Axis axis{.title = "Topology", .scale = AxisScale::Categories};
    for (const Topology& topology : comparison.topologies) {
        axis.categories.push_back(toString(topology));
    }
    return axis;
}

std::string tipOf(const ComparedSeries& series, const Cell& cell, Spread spread) {
    const int decimals = decimalsOf(series.unit);
    std::string tip = fmt::format("{}, {}\n{} {}", series.title, toString(cell.topology),
                                  throughputText(cell.fold.median, decimals), series.unit);
    if (cell.speedup) {
        tip += ", " + times(*cell.speedup);
    }
    if (cell.efficiency) {
        tip += ", efficiency " + percent(*cell.efficiency);
    }
    if (cell.memoryMb) {
        tip += ", " + grouped(*cell.memoryMb, 0) + " MB";
    }
    if (!cell.repetitions.empty()) {
        tip += fmt::format("\n{} {}, {}", cell.repetitions.size(),
                           cell.repetitions.size() == 1 ? "run" : "runs", rangeText(cell, spread, decimals));
    }
    if (spread == Spread::MinToMax && cell.interval) {
        tip += "\n" + intervalText(cell, decimals);
    }
    if (cell.speedupInterval) {
        tip += fmt::format("\nspeedup within {} to {} (95\u00A0%)", times(cell.speedupInterval->low),
                           times(cell.speedupInterval->high));
    }
    if (series.sources.size() > 1) {
        tip += fmt::format("\nquoted by {} sources", series.sources.size());
    }
    return tip;
}

Point pointOf(const ComparedSeries& series, const Cell& cell, Spread spread, double x, double share) {
    Point point{.x = x,
                .y = *cell.fold.median * share,
                .tip = tipOf(series, cell, spread),
                .finding = findingText(cell.findings, true),
                .topology = cell.topology};
    if (cell.range) {
        point.low = cell.range->low * share;
        point.high = cell.range->high * share;
    }
    for (const double figure : cell.repetitions) {
        point.singles.push_back(figure * share);
    }
    return point;
}

std::optional<Point> missingPoint(const ComparedSeries& series, const Cell& cell, Spread spread, double x) {
    if (cell.fold.median || cell.findings.empty()) {
        return std::nullopt;
    }
    return Point{.x = x,
                 .tip = tipOf(series, cell, spread),
                 .finding = findingText(cell.findings, true),
                 .missing = true,
                 .topology = cell.topology};
}

std::optional<Point> throughputPoint(const Comparison& comparison, const ComparedSeries& series,
                                     const Cell& cell, const ChartOptions& options, double x) {
    return cell.fold.median ? pointOf(series, cell, comparison.spread, x, shareOf(comparison, cell, options))
                            : missingPoint(series, cell, comparison.spread, x);
}

ChartSpec throughputChart(const Comparison& comparison, const Vocabulary& vocabulary,
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

void useLogFigures(ChartSpec& chart) {
    constexpr double aboveHighest = 35.0 / 32.0;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = 0;
    for (const Series& series : chart.series) {
        for (const Point& point : series.points) {
            if (!point.missing && point.y > 0) {
                const double low = point.low.value_or(point.y);
                lowest = std::min(lowest, low > 0 ? low : point.y);
                highest = std::max(highest, std::max(point.high.value_or(point.y), point.y));
            }
        }
    }
    if (!(highest > 0)) {
        return;
    }
    chart.kind = chart.kind == ChartKind::Bars ? ChartKind::Dots : chart.kind;
    chart.y.scale = AxisScale::Log2;
    chart.y.lowest = std::exp2(std::floor(std::log2(lowest)));
    chart.y.highest = highest * aboveHighest;
}

void labelBars(std::vector<Series>& series, bool lowest, const std::function<std::string(double)>& text) {
    std::map<double, Point*> best;
    for (Series& one : series) {
        for (Point& point : one.points) {
            if (point.missing || point.y <= 0) {
                continue;
            }
            point.label = text(point.y);
            Point*& leader = best[point.x];
            const bool better = leader == nullptr || (lowest ? point.y < leader->y : point.y > leader->y);
            leader = better ? &point : leader;
        }
    }
    for (auto& [x, point] : best) {
        point->isBest = true;
    }
}

void labelEnds(std::vector<Series>& lines, const std::function<std::string(double)>& text) {
    Point* best = nullptr;
    Point* worst = nullptr;
    double end = -std::numeric_limits<double>::infinity();
    for (const Series& line : lines) {
        for (const Point& point : line.points) {
            end = point.missing ? end : std::max(end, point.x);
        }
    }
    for (Series& line : lines) {
        for (Point& point : line.points) {
            if (point.x == end && !point.missing) {
                best = best == nullptr || point.y > best->y ? &point : best;
                worst = worst == nullptr || point.y < worst->y ? &point : worst;
            }
        }
    }
    if (best == nullptr) {
        return;
    }
    best->label = text(best->y);
    if (const std::string label = text(worst->y); label != best->label) {  // said once is enough
        worst->label = label;
    }
}

std::string unitOf(const std::vector<const ComparedSeries*>& series) {
    const bool same = std::ranges::all_of(
        series, [&](const ComparedSeries* one) { return one->unit == series.front()->unit; });
    return series.empty() || !same ? "" : series.front()->unit;
}

}  // namespace dlperf::report
