// SPDX-License-Identifier: Apache-2.0
// One choice for whiskers, tables and reports: the extremes of the repetitions, or an interval of the median.
#include "core/report/comparison.h"

#include <gtest/gtest.h>

#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::vocabulary;

// Seven repetitions on one device, three on two, one on four.
std::vector<RunResult> runs() {
    std::vector<RunResult> results;
    for (const double figure : {100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 130.0}) {
        results.push_back(ownRun({1, 1}, static_cast<int>(results.size()) + 1, figure));
    }
    for (const double figure : {200.0, 202.0, 204.0}) {
        results.push_back(ownRun({1, 2}, static_cast<int>(results.size()) - 6, figure));
    }
    results.push_back(ownRun({1, 4}, 1, 400));
    return results;
}

TEST(Spread, WhiskersFollowTheChoice) {
    const Comparison extremes = compare(runs(), vocabulary());
    ChartSpec chart = throughputBars(extremes, vocabulary(), {});
    EXPECT_EQ(chart.series[0].points[0].low, 100);
    EXPECT_EQ(chart.series[0].points[0].high, 130);
    EXPECT_EQ(chart.series[0].points[1].high, 204);
    const Comparison interval = withSpread(extremes, Spread::Confidence);
    chart = throughputBars(interval, vocabulary(), {});
    EXPECT_EQ(chart.series[0].points[0].low, 101);
    EXPECT_EQ(chart.series[0].points[0].high, 105);
    EXPECT_FALSE(chart.series[0].points[1].low);  // three are too few
    EXPECT_NE(chart.series[0].points[1].tip.find("3 runs, too few for an interval"), std::string::npos);
    EXPECT_NE(chart.series[0].points[0].tip.find("7 runs, median within 101.00 to 105.00"),
              std::string::npos);
    EXPECT_EQ(interval.series[0].cells[0].findings, extremes.series[0].cells[0].findings);
    EXPECT_EQ(withSpread(interval, Spread::MinToMax).series[0].cells[0].range,
              extremes.series[0].cells[0].range);
}

TEST(Spread, ReportsShowWhatIsSeen) {
    ReportView view;
    view.spread = Spread::Confidence;
    const Report report = buildReport(runs(), vocabulary(), {}, view);
    const ReportSection& section = report.sections.at(0);
    EXPECT_EQ(section.charts[0].series[0].points[0].high, 105);
    EXPECT_EQ(section.comparison.series[0].cells[0].range, (analysis::Interval{101, 105}));
}

TEST(Spread, TheTableOfRepetitionsHasIntervalAndExtremesWhateverIsChosen) {
    const Table table = repetitionTable(compare(runs(), vocabulary()));
    EXPECT_EQ(table.columns[4].title, "95\u00A0% interval");
    EXPECT_EQ(table.rows[0][4].text, "101.00 to 105.00");
    EXPECT_EQ(table.rows[1][4].note, "too few for an interval, 5 are needed");
    EXPECT_EQ(table.rows[0][6].text, "100.00 to 130.00");
    EXPECT_EQ(table.rows[2][6].number, 400);  // a single run
}

TEST(Spread, WhiskersOfSpeedupsAreOfBothSides) {
    std::vector<RunResult> results;
    for (const double figure : {98.0, 99.0, 100.0, 101.0, 102.0}) {
        const int repetition = static_cast<int>(results.size()) / 2 + 1;
        results.push_back(ownRun({1, 1}, repetition, figure));
        results.push_back(ownRun({1, 2}, repetition, 195.0));
    }
    const Comparison comparison = withSpread(compare(results, vocabulary()), Spread::Confidence);
    const Cell& one = comparison.series[0].cells[0];
    const Cell& two = comparison.series[0].cells[1];
    EXPECT_FALSE(one.speedupInterval);  // it is its own base
    ASSERT_TRUE(two.speedupInterval);
    EXPECT_DOUBLE_EQ(two.speedupInterval->low, 195.0 / 102);  // no doubt about two devices, but about one
    EXPECT_DOUBLE_EQ(two.speedupInterval->high, 195.0 / 98);
    const Point point = speedupLines(comparison, vocabulary(), {}).series.at(1).points.at(1);
    EXPECT_EQ(point.low, two.speedupInterval->low);
    EXPECT_NE(point.tip.find("speedup within 1.91× to 1.99×"), std::string::npos);
    EXPECT_DOUBLE_EQ(*efficiencyLines(comparison, vocabulary(), {}).series.at(1).points.at(1).low,
                     195.0 / 102 / 2 * 100);
}

TEST(SpreadChart, HasEveryRepetitionInPercentOfTheMedian) {
    const ChartSpec chart = repetitionDots(compare(runs(), vocabulary()), vocabulary(), {});
    EXPECT_EQ(chart.kind, ChartKind::Dots);
    EXPECT_EQ(chart.x.categories.size(), 3U);
    const auto& points = chart.series.at(0).points;
    ASSERT_EQ(points.size(), 2U);  // a single run has no spread
    EXPECT_EQ(points[0].y, 0);
    ASSERT_EQ(points[0].singles.size(), 7U);
    EXPECT_EQ(points[0].singles[3], 0);  // 103 is the median
    EXPECT_NEAR(points[0].singles[6], 26.214, 0.001);
    EXPECT_NEAR(*points[0].high, 26.214, 0.001);
    EXPECT_NEAR(*points[1].low, -0.990, 0.001);
    EXPECT_FALSE(chart.y.highest);  // the data says how far
    const ChartSpec calm = repetitionDots(
        compare({ownRun({1, 1}, 1, 100), ownRun({1, 1}, 2, 100.1)}, vocabulary()), vocabulary(), {});
    EXPECT_EQ(calm.y.lowest, -0.5);  // a twentieth of a percent is not blown up to fill the chart
    EXPECT_EQ(calm.y.highest, 0.5);
    EXPECT_TRUE(
        repetitionDots(compare({ownRun({1, 1}, 1, 5)}, vocabulary()), vocabulary(), {}).series.empty());
}

TEST(SpreadChart, HiddenSeriesAreNotInIt) {
    const Comparison comparison = compare(runs(), vocabulary());
    ChartOptions options;
    options.hidden = {comparison.series[0].id};
    EXPECT_TRUE(repetitionDots(comparison, vocabulary(), options).series.empty());
}

TEST(SpeedupLines, HaveTheRepetitionsBehindTheirMedians) {
    const ChartSpec chart = speedupLines(compare(runs(), vocabulary()), vocabulary(), {});
    const Point& two = chart.series.at(1).points.at(1);
    EXPECT_NEAR(two.y, 202.0 / 103, 0.005);
    ASSERT_EQ(two.singles.size(), 3U);
    EXPECT_NEAR(two.singles[0], 200.0 / 103, 0.01);
    EXPECT_NEAR(*two.high, 204.0 / 103, 0.01);
}

}  // namespace
}  // namespace dlperf::report
