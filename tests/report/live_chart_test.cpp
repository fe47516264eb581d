// SPDX-License-Identifier: Apache-2.0
#include "core/report/live_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace dlperf::report {
namespace {

std::vector<Point> wave(std::size_t count) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(i);
        points.push_back({.x = x, .y = 100 + std::sin(x / 50)});
    }
    return points;
}

bool isSubsequence(const std::vector<Point>& part, const std::vector<Point>& whole) {
    std::size_t at = 0;
    for (const Point& point : whole) {
        at += at < part.size() && part[at].x == point.x && part[at].y == point.y ? 1 : 0;
    }
    return at == part.size();
}

TEST(Decimation, KeepsEndsOrderAndSpikes) {
    for (const std::size_t count : {2001U, 4000U, 99'999U}) {
        std::vector<Point> points = wave(count);
        points[count / 3].y = 900;
        points[count / 2].y = -900;
        const auto kept = decimated(points, livePoints);
        EXPECT_LE(kept.size(), livePoints);
        EXPECT_GT(kept.size(), livePoints / 2);
        EXPECT_TRUE(isSubsequence(kept, points));
        EXPECT_EQ(kept.front().x, points.front().x);
        EXPECT_EQ(kept.back().x, points.back().x);
        const auto [low, high] = std::minmax_element(
            kept.begin(), kept.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
        EXPECT_EQ(low->y, -900);
        EXPECT_EQ(high->y, 900);
    }
}

TEST(Decimation, FewPointsComeBackAsTheyAre) {
    EXPECT_EQ(decimated(wave(livePoints), livePoints).size(), livePoints);
    EXPECT_TRUE(decimated({}, livePoints).empty());
    EXPECT_LE(decimated(wave(100), 0).size(), 4U);
}

TEST(RunningMedian, IsTheMedianOfAllSoFar) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(0, 100);
    std::vector<Point> points;
    std::vector<double> sorted;
    for (int i = 0; i < 200; ++i) {
        points.push_back({.x = static_cast<double>(i), .y = value(random)});
    }
    const auto medians = runningMedian(points);
    ASSERT_EQ(medians.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), points[i].y), points[i].y);
        const std::size_t middle = sorted.size() / 2;
        const double expected =
            sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        EXPECT_EQ(medians[i].y, expected);
    }
}

NodeIterations node(const std::string& name, int count, double throughput) {
    NodeIterations result{name, {}};
    for (int i = 1; i <= count; ++i) {
        analysis::Iteration iteration;
        iteration.number = i;
        iteration.throughput = throughput;
        result.iterations.push_back(iteration);
    }
    return result;
}

TEST(LiveChart, ShadesTheWarmupAndTakesTheMedianBehindIt) {
    const ChartSpec chart =
        liveThroughput({node("node1", 84, 2500), node("node2", 84, 2510)}, {20, 120}, "images/s");
    EXPECT_EQ(chart.unit, "images/s");
    EXPECT_EQ(chart.x.highest, 120);
    ASSERT_EQ(chart.regions.size(), 1U);
    EXPECT_EQ(chart.regions[0].to, 20);
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(chart.series[0].title, "node1");
    EXPECT_EQ(chart.series[0].points.size(), 84U);
    EXPECT_TRUE(chart.series[0].framework.empty());
    const Series& median = chart.series[2];
    EXPECT_EQ(median.role, SeriesRole::RunningMedian);
    EXPECT_EQ(median.points.front().x, 21);
    EXPECT_EQ(median.points.back().y, 2505);
    EXPECT_EQ(median.points.back().label, "median 2,505");
}

TEST(LiveChart, DuringWarmupThereIsNoMedianYet) {
    const ChartSpec chart = liveThroughput({node("node1", 20, 2500)}, {20, 120}, "images/s");
    EXPECT_EQ(chart.series.size(), 1U);
    EXPECT_TRUE(liveThroughput({}, {0, 0}, "images/s").regions.empty());
}

TEST(LiveChart, LeavesOutWhatHasNoThroughputAndFollowsARestart) {
    NodeIterations iterations = node("node1", 50, 100);
    iterations.iterations[10].throughput.reset();
    iterations.iterations[11].throughput = std::numeric_limits<double>::quiet_NaN();
    const NodeIterations again = node("node1", 5, 200);
    iterations.iterations.insert(iterations.iterations.end(), again.iterations.begin(),
                                 again.iterations.end());
    const ChartSpec chart = liveThroughput({iterations}, {0, 0}, "images/s");
    const auto& points = chart.series[0].points;
    ASSERT_EQ(points.size(), 5U);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const Point& a, const Point& b) { return a.x < b.x; }));
    EXPECT_EQ(points.back().y, 200);
}

TEST(LiveChart, ALongRunIsThinned) {
    const ChartSpec chart = liveThroughput({node("node1", 100'000, 100)}, {20, 100'000}, "images/s");
    for (const Series& series : chart.series) {
        EXPECT_LE(series.points.size(), livePoints);
    }
}

}  // namespace
}  // namespace dlperf::report
