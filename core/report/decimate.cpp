// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <queue>

#include "core/report/live_chart.h"

namespace dlperf::report {

std::vector<Point> decimated(const std::vector<Point>& points, std::size_t most) {
    most = std::max<std::size_t>(most, 4);
    if (points.size() <= most) {
        return points;
    }
    const std::size_t inner = points.size() - 2;
    const std::size_t stretches = (most - 2) / 2;
    std::vector<Point> kept{points.front()};
    for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
        const auto begin = points.begin() + 1 + static_cast<std::ptrdiff_t>(inner * stretch / stretches);
        const auto end = points.begin() + 1 + static_cast<std::ptrdiff_t>(inner * (stretch + 1) / stretches);
        auto [low, high] =
            std::minmax_element(begin, end, [](const Point& a, const Point& b) { return a.y < b.y; });
        if (low > high) {
            std::swap(low, high);
        }
        kept.push_back(*low);
        if (high != low) {
            kept.push_back(*high);
        }
    }
    kept.push_back(points.back());
    return kept;
}

std::vector<Point> runningMedian(const std::vector<Point>& points) {
    std::priority_queue<double> lower;  // its top is the largest of the smaller half
    std::priority_queue<double, std::vector<double>, std::greater<>> upper;
    std::vector<Point> medians;
    medians.reserve(points.size());
    for (const Point& point : points) {
        lower.push(point.y);
        upper.push(lower.top());
        lower.pop();
        if (upper.size() > lower.size()) {
            lower.push(upper.top());
            upper.pop();
        }
        const double median = lower.size() > upper.size() ? lower.top() : (lower.top() + upper.top()) / 2;
        medians.push_back({.x = point.x, .y = median});
    }
    return medians;
}

}  // namespace dlperf::report
