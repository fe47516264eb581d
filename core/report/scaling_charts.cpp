// SPDX-License-Identifier: Apache-2.0
// Speedup over one device and scaling efficiency, over the number of devices.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

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

bool isWithin(const Topology& one, const Topology& other) {
    return one != other && one.nodes <= other.nodes && one.devices <= other.devices;
}

// The point that a line comes from: of the largest topology within this one, the one with the fewest nodes,
// as a node is filled before there is another. 2n8g comes from 1n8g, 2n1g from 1n1g, though 1n2g is as large.
std::optional<std::size_t> comesFrom(const std::vector<Point>& points, std::size_t to) {
    std::optional<std::size_t> from;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool isSmaller = !points[i].missing && isWithin(*points[i].topology, *points[to].topology);
        if (isSmaller &&
            (!from || points[i].x > points[*from].x ||
             (points[i].x == points[*from].x && points[i].topology->nodes < points[*from].topology->nodes))) {
            from = i;
        }
    }
    return from;
}

// From its first point or from where it leaves another way; points that are on a way are marked as such.
std::vector<std::size_t> wayTo(const std::vector<Point>& points, std::size_t end,
                               std::set<std::size_t>& onWays) {
    std::vector<std::size_t> way{end};
    while (onWays.insert(way.back()).second) {
        const auto from = comesFrom(points, way.back());
        if (!from) {
            break;
        }
        way.push_back(*from);
    }
    std::ranges::reverse(way);
    return way;
}

// Topologies of one number of devices share an x: one line through all would fall or rise between them.
void partWays(Series& line) {
    std::vector<std::size_t> ends;  // the largest first, of the fewest nodes: the way that fills nodes
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        if (!line.points[i].missing) {
            ends.push_back(i);
        }
    }
    std::ranges::stable_sort(ends, [&](std::size_t a, std::size_t b) {
        const Point& one = line.points[a];
        const Point& other = line.points[b];
        return std::tuple(-one.x, one.topology->nodes) < std::tuple(-other.x, other.topology->nodes);
    });
    std::set<std::size_t> onWays;
    for (const std::size_t end : ends) {
        if (!onWays.contains(end)) {
            line.ways.push_back(wayTo(line.points, end, onWays));
        }
    }
    if (line.ways.size() < 2) {
        line.ways.clear();
    }
}

// Where lines part, each further end says which topology it is, once: on the best line.
void labelWays(std::vector<Series>& lines) {
    std::map<Topology, Point*> best;
    for (Series& line : lines) {
        for (std::size_t way = 1; way < line.ways.size(); ++way) {
            Point& end = line.points[line.ways[way].back()];
            Point*& there = best[*end.topology];
            there = there == nullptr || end.y > there->y ? &end : there;
        }
    }
    for (auto& [topology, end] : best) {
        end->label += (end->label.empty() ? "" : " ") + toString(topology);
    }
}

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
        partWays(line);
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
    // One decimal would make a loss of 2 % the 1.0× of none.
    labelEnds(lines, [](double value) { return times(value, value < 1.5 ? 2 : 1); });
    labelWays(lines);
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
    labelWays(lines);
    chart.y.numbers = NumberStyle::Percent;
    chart.y.lowest = 0;
    chart.y.highest = std::max(105.0, highestPoint(lines) * 1.05);
    chart.series.push_back(idealLine(1, 100, largestWorld(comparison), 100));
    std::ranges::move(lines, std::back_inserter(chart.series));
    return chart;
}

}  // namespace dlperf::report
