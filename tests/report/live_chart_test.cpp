// SPDX-License-Identifier: Apache-2.0
#include "core/report/live_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace dlperf::report {
namespace {

std::vector<analysis::Iteration> iterations(int from, int to, double throughput) {
    std::vector<analysis::Iteration> result;
    for (int i = from; i <= to; ++i) {
        analysis::Iteration iteration;
        iteration.number = i;
        iteration.throughput = throughput;
        result.push_back(iteration);
    }
    return result;
}

// Figures that differ from one iteration to the next.
std::vector<analysis::Iteration> unsteady(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(2000, 3000);
    auto result = iterations(1, count, 0);
    for (analysis::Iteration& iteration : result) {
        iteration.throughput = value(random);
    }
    return result;
}

void add(LiveChart& live, std::size_t node, const std::vector<analysis::Iteration>& log) {
    for (const analysis::Iteration& iteration : log) {
        live.add(node, iteration);
    }
}

double medianOf(std::vector<double> figures) {
    std::sort(figures.begin(), figures.end());
    const std::size_t middle = figures.size() / 2;
    return figures.size() % 2 == 1 ? figures[middle] : (figures[middle - 1] + figures[middle]) / 2;
}

TEST(RunningMedian, IsTheMedianOfAllSoFar) {
    RunningMedian running;
    EXPECT_FALSE(running.value());
    std::vector<double> figures;
    for (const auto& iteration : unsteady(300, 7)) {
        figures.push_back(*iteration.throughput);
        running.add(figures.back());
        EXPECT_EQ(running.value(), medianOf(figures));
    }
}

TEST(LiveChart, ShadesTheWarmupAndTakesTheMedianBehindIt) {
    LiveChart live({"node1", "node2"}, {20, 120}, "images/s");
    add(live, 0, iterations(1, 84, 2500));
    add(live, 1, iterations(1, 84, 2510));
    live.update();
    const ChartSpec chart = live.chart();
    EXPECT_EQ(chart.unit, "images/s");
    EXPECT_EQ(chart.x.highest, 120);
    ASSERT_EQ(chart.regions.size(), 1U);
    EXPECT_EQ(chart.regions[0].to, 20);
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(chart.series[0].title, "node1");
    EXPECT_EQ(chart.series[0].samples->size(), 84U);
    EXPECT_TRUE(chart.series[0].framework.empty());
    const Series& median = chart.series[2];
    EXPECT_EQ(median.role, SeriesRole::RunningMedian);
    EXPECT_EQ(median.samples->front().x, 21);
    EXPECT_EQ(median.samples->back().y, 2505);
    EXPECT_EQ(median.endLabel, "median 2,505");
}

TEST(LiveChart, SaysWhetherLinesAreCounted) {
    LiveChart live({"node1"}, {20, 120}, "images/s");
    EXPECT_EQ(live.chart().x.title, "Iteration");
    live.countLines();
    EXPECT_EQ(live.chart().x.title, "Counted line");
}

TEST(LiveChart, DuringWarmupThereIsNoMedianYet) {
    LiveChart live({"node1", "node2"}, {20, 120}, "images/s");
    add(live, 0, iterations(1, 20, 2500));
    live.update();
    EXPECT_FALSE(live.median());
    EXPECT_EQ(live.chart().series.size(), 1U);  // node 2 has printed nothing
    EXPECT_TRUE(LiveChart({}, {0, 0}, "images/s").chart().regions.empty());
}

// The pieces in which two logs are read, one of them far ahead, leave the median line as it is.
TEST(LiveChart, TheMedianIsThatOfAllMeasuredWhateverThePieces) {
    constexpr int count = 3000;
    const std::vector<std::vector<analysis::Iteration>> logs{unsteady(count, 1), unsteady(count, 2)};
    LiveChart live({"node1", "node2"}, {20, 2900}, "images/s");
    const std::vector<int> pieces{700, 90};
    std::vector<int> read{0, 0};
    while (read[1] < count) {
        std::vector<bool> more(2);
        for (std::size_t node = 0; node < 2; ++node) {
            const int upTo = std::min(read[node] + pieces[node], count);
            add(live, node, {logs[node].begin() + read[node], logs[node].begin() + upTo});
            more[node] = upTo < count;
            read[node] = upTo;
        }
        live.update(more);
    }
    const auto medians = live.chart().series.at(2).samples;
    ASSERT_EQ(medians->size(), 2880U);
    std::vector<double> figures;
    for (std::size_t i = 0; i < medians->size(); ++i) {
        const auto iteration = static_cast<std::size_t>(medians->at(i).x) - 1;
        EXPECT_EQ(iteration, i + 20);
        figures.push_back(*logs[0][iteration].throughput);
        figures.push_back(*logs[1][iteration].throughput);
        if (i % 97 == 0 || i + 1 == medians->size()) {
            EXPECT_EQ(medians->at(i).y, medianOf(figures)) << i;
        }
    }
    EXPECT_EQ(live.median(), medianOf(figures));
}

TEST(LiveChart, ANodeThatStaysBehindStopsNothing) {
    LiveChart live({"node1", "node2"}, {0, 0}, "images/s");
    add(live, 0, iterations(1, 10, 100));
    add(live, 1, iterations(1, 2, 300));
    live.update();
    EXPECT_EQ(live.median(), 100);
    EXPECT_EQ(live.chart().series.at(2).samples->back().x, 10);
    add(live, 1, iterations(3, 20, 300));  // it was only late
    live.update();
    EXPECT_EQ(live.median(), 300);
}

TEST(LiveChart, LeavesOutWhatHasNoThroughputAndFollowsARestart) {
    auto log = iterations(1, 50, 100);
    log[10].throughput.reset();
    log[11].throughput = std::numeric_limits<double>::quiet_NaN();
    LiveChart live({"node1"}, {0, 0}, "images/s");
    add(live, 0, log);
    live.update();
    EXPECT_EQ(live.chart().series[0].samples->size(), 48U);
    EXPECT_EQ(live.median(), 100);
    add(live, 0, iterations(1, 5, 200));
    live.update();
    const auto samples = live.chart().series[0].samples;
    ASSERT_EQ(samples->size(), 5U);
    EXPECT_EQ(samples->back().y, 200);
    EXPECT_EQ(live.median(), 200);  // what the first attempt printed does not count
    EXPECT_EQ(live.chart().series[1].samples->size(), 5U);
}

// A chart on the screen keeps what it was given while the run goes on.
TEST(LiveChart, AChartDoesNotChangeBehindItsBack) {
    LiveChart live({"node1"}, {0, 0}, "images/s");
    add(live, 0, iterations(1, 10'000, 100));
    const ChartSpec before = live.chart();
    add(live, 0, iterations(1, 20, 300));
    ASSERT_EQ(before.series[0].samples->size(), 10'000U);
    EXPECT_EQ(before.series[0].samples->at(5).y, 100);
    EXPECT_EQ(live.chart().series[0].samples->size(), 20U);
}

}  // namespace
}  // namespace dlperf::report
