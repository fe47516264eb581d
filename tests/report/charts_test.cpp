// SPDX-License-Identifier: Apache-2.0
// What the charts of a comparison hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/mapped.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::quotedRun;
using test::vocabulary;

Comparison twoSeries() {
    return compare({quotedRun("OneFlow", {1, 1}, 397.64), quotedRun("OneFlow", {1, 8}, 3130.34),
                    quotedRun("OneFlow", {4, 8}, 12411.97), quotedRun("PyTorch examples", {1, 1}, 348.62),
                    quotedRun("PyTorch examples", {4, 8}, 10021.29)},
                   vocabulary());
}

std::vector<std::string> labels(const ChartSpec& chart) {
    std::vector<std::string> texts;
    for (const Series& series : chart.series) {
        for (const Point& point : series.points) {
            if (!point.label.empty() && (chart.kind != ChartKind::Bars || point.isBest)) {
                texts.push_back(series.title + " " + point.label);
            }
        }
    }
    return texts;
}

TEST(RelativeBars, AreOverTheBestOrOverAChosenSeriesOfTheirTopology) {
    const Comparison comparison =
        compare({test::quotedRun("OneFlow-Benchmark", {1, 1}, 400),
                 test::quotedRun("OneFlow-Benchmark", {1, 8}, 3000), test::ownRun({1, 1}, 1, 100),
                 test::ownRun({1, 8}, 1, 600), test::ownRun({2, 8}, 1, 1000)},
                test::vocabulary());
    const auto ratiosOf = [&](const std::string& framework, const ChartOptions& options) {
        const ChartSpec chart = throughputBars(comparison, test::vocabulary(), options);
        const auto series = std::ranges::find(chart.series, framework, &Series::framework);
        return mapped(series->points, [](const Point& point) { return std::round(point.y * 1000) / 1000; });
    };
    EXPECT_EQ(ratiosOf("dlperf-worker", {.relative = true}), (std::vector<double>{0.25, 0.2, 1}));
    EXPECT_EQ(ratiosOf("oneflow", {.relative = true}), (std::vector<double>{1, 1}));
    const auto own = std::ranges::find(comparison.series, Origin::Own,
                                       [](const ComparedSeries& one) { return one.key.origin; });
    const ChartOptions overOwn{.relative = true, .relativeTo = own->id};
    EXPECT_EQ(ratiosOf("oneflow", overOwn), (std::vector<double>{4, 5}));
    const ChartSpec chart = throughputBars(comparison, test::vocabulary(), overOwn);
    EXPECT_EQ(chart.unit, "relative to " + own->title);
    EXPECT_EQ(chart.y.numbers, NumberStyle::Times);
}

TEST(LogFigures, ReplaceBarsByMarkersFromTheDoublingBelowTheLowest) {
    const ChartSpec bars = throughputBars(twoSeries(), vocabulary(), {});
    const ChartSpec chart = throughputBars(twoSeries(), vocabulary(), {.logFigures = true});
    EXPECT_EQ(chart.kind, ChartKind::Dots);
    EXPECT_FALSE(showsOffsets(chart));
    EXPECT_EQ(chart.y.scale, AxisScale::Log2);
    EXPECT_EQ(chart.y.lowest, 256);  // 348.62 is the lowest figure
    EXPECT_GT(*chart.y.highest, 12411.97);
    EXPECT_EQ(chart.series[0].points[2].y, bars.series[0].points[2].y);
    const ChartSpec ratios =
        throughputBars(twoSeries(), vocabulary(), {.relative = true, .logFigures = true});
    EXPECT_EQ(ratios.y.lowest, 0.5);  // the lowest is 0.81
    const ChartSpec empty = throughputBars(compare({}, vocabulary()), vocabulary(), {.logFigures = true});
    EXPECT_EQ(empty.y.scale, AxisScale::Linear);
}

TEST(ThroughputBars, HaveOneBarACellAndOneLabelAGroup) {
    const ChartSpec chart = throughputBars(twoSeries(), vocabulary(), {});
    EXPECT_EQ(chart.kind, ChartKind::Bars);
    EXPECT_EQ(chart.unit, "images/s");
    EXPECT_EQ(chart.x.scale, AxisScale::Categories);
    EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"1n1g", "1n8g", "4n8g"}));
    EXPECT_EQ(chart.y.lowest, 0);
    ASSERT_EQ(chart.series.size(), 2U);
    EXPECT_EQ(chart.series[0].title, "OneFlow");
    EXPECT_EQ(chart.series[0].framework, "oneflow");
    EXPECT_EQ(chart.series[1].fill, 1);
    EXPECT_EQ(chart.series[1].points.size(), 2U);
    EXPECT_EQ(chart.series[1].points[1].x, 2);
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"OneFlow 398", "OneFlow 3,130", "OneFlow 12,412"}));
    EXPECT_EQ(chart.series.at(1).points.at(1).label, "10,021");  // where there is room for all
    EXPECT_EQ(chart.series[0].points[2].tip,
              "OneFlow, 4n8g\n12,411.97 images/s, 31.21×, efficiency 97.5\u00A0%");
}

TEST(ThroughputBars, WhiskersSpanTheRepetitions) {
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), ownRun({1, 1}, 2, 12), ownRun({1, 1}, 3, 11), ownRun({1, 2}, 1, 20)},
                vocabulary());
    ChartSpec chart = throughputBars(comparison, vocabulary(), {});
    EXPECT_EQ(chart.series[0].points[0].low, 10);
    EXPECT_EQ(chart.series[0].points[0].high, 12);
    EXPECT_FALSE(chart.series[0].points[1].low);  // one run has no spread
    EXPECT_NE(chart.series[0].points[0].finding, "");
    chart = throughputBars(comparison, vocabulary(), {.perDevice = true, .logAxes = true, .hidden = {}});
    EXPECT_EQ(chart.series[0].points[1].y, 10);
}

TEST(ThroughputBars, HiddenSeriesAreNotInTheChartNorInItsLabels) {
    const Comparison comparison = twoSeries();
    const ChartOptions options{.perDevice = false, .logAxes = true, .hidden = {comparison.series[0].id}};
    const ChartSpec chart = throughputBars(comparison, vocabulary(), options);
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"PyTorch 349", "PyTorch 10,021"}));
    EXPECT_EQ(speedupLines(comparison, vocabulary(), options).series.size(), 2U);  // ideal and PyTorch
}

TEST(ThroughputBars, HiddenSeriesAreNotWarnedAbout) {
    RunResult small = ownRun({1, 1}, 1, 900);
    small.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    const Comparison comparison = compare({small, ownRun({1, 1}, 1, 350)}, vocabulary());
    ASSERT_EQ(throughputBars(comparison, vocabulary(), {}).warnings.size(), 1U);
    ChartOptions options;
    options.hidden = {comparison.series[0].id};
    EXPECT_TRUE(throughputBars(comparison, vocabulary(), options).warnings.empty());
    EXPECT_TRUE(speedupLines(comparison, vocabulary(), options).warnings.empty());
}

TEST(SpeedupLines, HaveTheIdealLineLogAxesAndTwoLabels) {
    const ChartSpec chart = speedupLines(twoSeries(), vocabulary(), {});
    EXPECT_EQ(chart.x.scale, AxisScale::Log2);
    EXPECT_DOUBLE_EQ(*chart.x.lowest, 0.88);
    EXPECT_DOUBLE_EQ(*chart.x.highest, 35);
    EXPECT_DOUBLE_EQ(*chart.y.lowest, 0.88);
    EXPECT_DOUBLE_EQ(*chart.y.highest, 35);
    EXPECT_EQ(chart.y.numbers, NumberStyle::Times);
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(chart.series[0].role, SeriesRole::Ideal);
    EXPECT_EQ(chart.series[0].points[1].x, 32);
    EXPECT_EQ(chart.series[0].points[1].y, 32);
    EXPECT_EQ(chart.series[1].points[1].x, 8);
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"OneFlow 31.2×", "PyTorch 28.8×"}));
}

// Out of memory at 1n8g, and nobody tried 4n8g: bars and lines mark the first and say the same of it.
TEST(MissingFigures, AreMarkedInLinesAsUnderBars) {
    RunResult lost = ownRun({1, 8}, 1, 0);
    lost.outcome = Outcome::Oom;
    lost.throughput.reset();
    const Comparison comparison =
        compare({quotedRun("OneFlow", {1, 1}, 397.64), quotedRun("OneFlow", {1, 8}, 3130.34),
                 quotedRun("OneFlow", {4, 8}, 12411.97), ownRun({1, 1}, 1, 350), lost},
                vocabulary());
    const auto ownOf = [](const ChartSpec& chart) {
        return *std::ranges::find(chart.series, "dlperf-worker", &Series::title);
    };
    const Series bars = ownOf(throughputBars(comparison, vocabulary(), {}));
    ASSERT_EQ(bars.points.size(), 2U);
    EXPECT_TRUE(bars.points[1].missing);
    EXPECT_TRUE(bars.points[1].finding.starts_with("Missing figure: OOM. "));
    for (const ChartSpec& chart :
         {speedupLines(comparison, vocabulary(), {}), efficiencyLines(comparison, vocabulary(), {})}) {
        const Series line = ownOf(chart);
        ASSERT_EQ(line.points.size(), 2U);
        EXPECT_FALSE(line.points[0].missing);
        EXPECT_TRUE(line.points[1].missing);
        EXPECT_EQ(line.points[1].x, 8);
        EXPECT_EQ(line.points[1].tip, bars.points[1].tip);
        EXPECT_EQ(line.points[1].finding, bars.points[1].finding);
        EXPECT_GE(*chart.y.lowest, 0);
    }
    const ChartSpec lines = speedupLines(comparison, vocabulary(), {});
    EXPECT_DOUBLE_EQ(*lines.y.lowest, 0.88);  // what is missing is no speedup of zero
    EXPECT_EQ(labels(lines), (std::vector<std::string>{"OneFlow 31.2×"}));
}

TEST(MissingFigures, LeaveTheLabelToTheLastTopologyWithAFigure) {
    RunResult lost = ownRun({1, 8}, 1, 0);
    lost.outcome = Outcome::Failed;
    lost.reason = "exit code 1";
    lost.throughput.reset();
    const ChartSpec chart = speedupLines(
        compare({ownRun({1, 1}, 1, 100), ownRun({1, 4}, 1, 390), lost}, vocabulary()), vocabulary(), {});
    EXPECT_EQ(chart.series[1].points.size(), 3U);
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"dlperf-worker 3.9×"}));
}

TEST(SpeedupLines, EqualEndsAreSaidOnce) {
    RunResult alike = ownRun({1, 1}, 1, 100);
    RunResult alikeToo = ownRun({1, 2}, 1, 191);
    alike.benchmarkCase.configuration.batchSize = alikeToo.benchmarkCase.configuration.batchSize = 64;
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 19), alike, alikeToo}, vocabulary());
    const ChartSpec chart = speedupLines(comparison, vocabulary(), {});
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(labels(chart).size(), 1U);
}

// By what they are, not by how fast they are: a faster run must not give the others a new look.
TEST(SeriesLooks, CountTheSeriesOfAFramework) {
    const auto fills = [](double throughputOf64) {
        RunResult small = ownRun({1, 1}, 1, throughputOf64);
        small.benchmarkCase.configuration.batchSize = 64;
        RunResult large = ownRun({1, 1}, 1, 300);
        large.benchmarkCase.configuration.batchSize = 256;
        const Comparison comparison = compare(
            {small, ownRun({1, 1}, 1, 200), large, quotedRun("OneFlow", {1, 1}, 397.64)}, vocabulary());
        std::map<std::string, int> found;
        for (const ComparedSeries& series : comparison.series) {
            found[series.id] = series.fill;
        }
        return found;
    };
    std::vector<int> all;
    for (const auto& [id, fill] : fills(100)) {
        all.push_back(fill);
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<int>{0, 0, 2, 4}));  // OneFlow, and three batch sizes of dlperf-worker
    EXPECT_EQ(fills(100), fills(400));
}

TEST(SpeedupLines, LinearAxesStartAtZero) {
    const ChartSpec chart =
        speedupLines(twoSeries(), vocabulary(), {.perDevice = false, .logAxes = false, .hidden = {}});
    EXPECT_EQ(chart.x.scale, AxisScale::Linear);
    EXPECT_EQ(chart.x.lowest, 0);
    EXPECT_EQ(chart.y.lowest, 0);
}

TEST(SpeedupLines, NothingThatALogAxisCannotShowReachesIt) {
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 0), ownRun({1, 4}, 1, -5), ownRun({1, 8}, 1, 2)},
                vocabulary());
    const ChartSpec chart = speedupLines(comparison, vocabulary(), {});
    EXPECT_GT(*chart.y.lowest, 0);
    EXPECT_LT(*chart.y.lowest, 0.2);  // slower than one device: the axis goes down to it
    for (const Series& series : chart.series) {
        for (const Point& point : series.points) {
            EXPECT_GT(point.x, 0);
            EXPECT_GT(point.y, 0);
            EXPECT_TRUE(std::isfinite(point.y));
        }
    }
    EXPECT_EQ(chart.series[1].points.size(), 2U);
}

TEST(SpeedupLines, OneLineHasOneLabelAndAnEmptyComparisonAnEmptyChart) {
    const Comparison one = compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 19)}, vocabulary());
    EXPECT_EQ(labels(speedupLines(one, vocabulary(), {})), (std::vector<std::string>{"dlperf-worker 1.9×"}));
    const Comparison slower = compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 9.8)}, vocabulary());
    EXPECT_EQ(labels(speedupLines(slower, vocabulary(), {})),
              (std::vector<std::string>{"dlperf-worker 0.98×"}));
    const Comparison empty = compare({}, vocabulary());
    for (const ChartSpec& chart :
         {throughputBars(empty, vocabulary(), {}), speedupLines(empty, vocabulary(), {}),
          efficiencyLines(empty, vocabulary(), {})}) {
        EXPECT_TRUE(labels(chart).empty());
    }
}

// 1n2g and 2n1g have two devices each: no line falls from one to the other.
TEST(SpeedupLines, PartIntoWaysOfMoreDevicesANodeAndOfMoreNodes) {
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 19), ownRun({2, 1}, 1, 15), ownRun({2, 2}, 1, 36),
                 ownRun({4, 1}, 1, 28)},
                vocabulary());
    const ChartSpec chart = speedupLines(comparison, vocabulary(), {});
    const Series& line = chart.series.at(1);
    std::vector<std::vector<std::string>> ways;
    for (const std::vector<std::size_t>& way : line.ways) {
        std::vector<std::string>& topologies = ways.emplace_back();
        for (const std::size_t point : way) {
            topologies.push_back(toString(*line.points.at(point).topology));
        }
    }
    EXPECT_EQ(ways,
              (std::vector<std::vector<std::string>>{{"1n1g", "1n2g", "2n2g"}, {"1n1g", "2n1g", "4n1g"}}));
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"dlperf-worker 3.6×", "dlperf-worker 2.8× 4n1g"}));
    // One way of scaling is one line.
    EXPECT_TRUE(speedupLines(twoSeries(), vocabulary(), {}).series.at(1).ways.empty());
}

TEST(EfficiencyLines, AreInPercentUnderAnIdealOfHundred) {
    const ChartSpec chart = efficiencyLines(twoSeries(), vocabulary(), {});
    EXPECT_EQ(chart.y.numbers, NumberStyle::Percent);
    EXPECT_EQ(chart.series[0].points[0].y, 100);
    EXPECT_NEAR(chart.series[1].points.back().y, 97.544, 0.001);
    EXPECT_EQ(labels(chart), (std::vector<std::string>{"OneFlow 97.5\u00A0%", "PyTorch 89.8\u00A0%"}));
}

TEST(BatchChart, OneLineForTheCasesThatDifferInBatchSizeOnly) {
    RunResult larger = ownRun({1, 1}, 1, 15);
    larger.benchmarkCase.configuration.batchSize = 256;
    RunResult smaller = ownRun({1, 1}, 1, 7);
    smaller.benchmarkCase.configuration.batchSize = 32;
    const Comparison comparison = compare(
        {larger, ownRun({1, 1}, 1, 10), smaller, quotedRun("OneFlow", {1, 1}, 397.64), ownRun({1, 2}, 1, 19)},
        vocabulary());
    const ChartSpec chart = throughputOver({}, comparison, vocabulary(), {1, 1}, {});
    ASSERT_EQ(chart.series.size(), 2U);
    const Series& line = chart.series[0].title == "dlperf-worker" ? chart.series[0] : chart.series[1];
    EXPECT_EQ(line.title, "dlperf-worker");
    ASSERT_EQ(line.points.size(), 3U);
    EXPECT_EQ(line.points[0].x, 32);
    EXPECT_EQ(line.points[2].y, 15);
    EXPECT_GT(*chart.x.lowest, 16);  // no empty doublings below the smallest
    EXPECT_EQ(labels(chart), std::vector<std::string>{"dlperf-worker 15.0"});  // the ends only
    EXPECT_EQ(sweepTopology(comparison, {}), (Topology{1, 1}));  // on two devices there is one size only
}

TEST(BatchChart, MarksTheBatchSizeThatRanOutOfMemory) {
    RunResult larger = ownRun({1, 1}, 1, 15);
    larger.benchmarkCase.configuration.batchSize = 256;
    RunResult lost = ownRun({1, 1}, 1, 0);
    lost.benchmarkCase.configuration.batchSize = 512;
    lost.outcome = Outcome::Oom;
    lost.throughput.reset();
    const ChartSpec chart = throughputOver({}, compare({ownRun({1, 1}, 1, 10), larger, lost}, vocabulary()),
                                           vocabulary(), {1, 1}, {});
    ASSERT_EQ(chart.series.size(), 1U);
    const Series& line = chart.series[0];
    ASSERT_EQ(line.points.size(), 3U);
    EXPECT_TRUE(line.points[2].missing);
    EXPECT_EQ(line.points[2].x, 512);
    EXPECT_GT(*chart.x.highest, 512);
    EXPECT_EQ(line.points[1].label, "15.0");
}

}  // namespace
}  // namespace dlperf::report
