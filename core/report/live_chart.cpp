// SPDX-License-Identifier: Apache-2.0
#include "core/report/live_chart.h"

#include <algorithm>
#include <cmath>

#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

std::vector<Point> pointsOf(const std::vector<analysis::Iteration>& iterations) {
    std::vector<Point> points;
    points.reserve(iterations.size());
    for (const analysis::Iteration& iteration : iterations) {
        if (!iteration.throughput || !std::isfinite(*iteration.throughput)) {
            continue;
        }
        const auto x = static_cast<double>(iteration.number);
        while (!points.empty() && points.back().x >= x) {
            points.pop_back();
        }
        points.push_back({.x = x, .y = *iteration.throughput});
    }
    return points;
}

bool isMeasured(const Point& point, const Window& window) {
    return point.x > window.warmup && (window.train <= 0 || point.x <= window.train);
}

// The median over all nodes, in the order of the iterations.
Series medianLine(const std::vector<std::vector<Point>>& nodes, const Window& window) {
    std::vector<Point> measured;
    for (const auto& points : nodes) {
        std::copy_if(points.begin(), points.end(), std::back_inserter(measured),
                     [&](const Point& point) { return isMeasured(point, window); });
    }
    std::stable_sort(measured.begin(), measured.end(),
                     [](const Point& a, const Point& b) { return a.x < b.x; });
    Series line{.key = "median",
                .title = "running median",
                .framework = {},
                .hollow = false,
                .role = SeriesRole::RunningMedian,
                .points = {}};
    for (const Point& point : runningMedian(measured)) {
        if (!line.points.empty() && line.points.back().x == point.x) {
            line.points.pop_back();  // the last node of an iteration has the word
        }
        line.points.push_back(point);
    }
    line.points = decimated(line.points, livePoints);
    if (!line.points.empty()) {
        line.points.back().label = "median " + brief(line.points.back().y);
    }
    return line;
}

}  // namespace

ChartSpec liveThroughput(const std::vector<NodeIterations>& nodes, const Window& window,
                         const std::string& unit) {
    ChartSpec chart;
    chart.title = "Throughput per node";
    chart.unit = unit;
    chart.x = {.title = "Iteration", .scale = AxisScale::Linear};
    chart.x.lowest = 0;
    if (window.train > 0) {
        chart.x.highest = window.train;
    }
    std::vector<std::vector<Point>> points;
    for (const NodeIterations& node : nodes) {
        points.push_back(pointsOf(node.iterations));
        if (!points.back().empty() && chart.x.highest) {
            chart.x.highest = std::max(*chart.x.highest, points.back().back().x);
        }
        chart.series.push_back({.key = node.node,
                                .title = node.node,
                                .framework = {},
                                .hollow = false,
                                .role = SeriesRole::Data,
                                .points = decimated(points.back(), livePoints)});
    }
    if (window.warmup > 0) {
        chart.regions.push_back({0, static_cast<double>(window.warmup), "warmup, not measured"});
    }
    if (Series median = medianLine(points, window); !median.points.empty()) {
        chart.series.push_back(std::move(median));
    }
    return chart;
}

}  // namespace dlperf::report
