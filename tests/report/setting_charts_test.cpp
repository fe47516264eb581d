// SPDX-License-Identifier: Apache-2.0
// Charts over what a sweep went through: which settings there are, where their values have their place, and
// what becomes one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::vocabulary;

const Setting workers{"workers"};

// At its default a run does not name the option.
RunResult runWith(const std::string& option, const std::string& value, double throughput,
                  Topology topology = {1, 1}) {
    RunResult run = ownRun(topology, 1, throughput);
    run.benchmarkCase.configuration.variant[option] = value;
    return run;
}

RunResult atDefault(const std::string& option, const std::string& value, double throughput) {
    RunResult run = ownRun({1, 1}, 1, throughput);
    run.defaults = {{option, value}};
    return run;
}

ChartSpec chartOver(const std::string& setting, const std::vector<RunResult>& runs) {
    return throughputOver({setting}, compare(runs, vocabulary()), vocabulary(), {1, 1}, {});
}

std::vector<double> placesIn(const Series& series) {
    std::vector<double> places;
    std::ranges::transform(series.points, std::back_inserter(places), &Point::x);
    return places;
}

std::vector<std::string> categoriesOf(const std::vector<std::string>& values) {
    std::vector<RunResult> runs;
    for (const std::string& value : values) {
        runs.push_back(runWith("scale", value, 10 + static_cast<double>(runs.size())));
    }
    return chartOver("scale", runs).x.categories;
}

TEST(SettingChart, OneLineOverTheNumbersWithTheDefaultInItsPlace) {
    const std::vector runs{runWith("workers", "16", 300), atDefault("workers", "4", 200),
                           runWith("workers", "1", 100)};
    const ChartSpec chart = chartOver("workers", runs);
    EXPECT_EQ(chart.title, "Throughput over workers, 1n1g");
    EXPECT_EQ(chart.x.title, "workers");
    EXPECT_EQ(chart.kind, ChartKind::Lines);
    EXPECT_EQ(chart.x.scale, AxisScale::Log2);
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].title, "dlperf-worker");  // the axis says the rest
    EXPECT_EQ(placesIn(chart.series[0]), (std::vector<double>{1, 4, 16}));
    EXPECT_EQ(chart.series[0].points[1].y, 200);
    EXPECT_LT(*chart.x.lowest, 1);
    EXPECT_GT(*chart.x.highest, 16);
}

TEST(SettingChart, HasNoPlaceForADefaultThatNobodyRecorded) {
    const std::vector runs{runWith("workers", "16", 300), ownRun({1, 1}, 1, 200),
                           runWith("workers", "1", 100)};
    const ChartSpec chart = chartOver("workers", runs);
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(placesIn(chart.series[0]), (std::vector<double>{1, 16}));
}

TEST(SettingChart, ZeroAndNegativeNumbersHaveAnEvenAxis) {
    const ChartSpec chart =
        chartOver("bias", {runWith("bias", "-2", 1), runWith("bias", "0", 2), runWith("bias", "8.5", 3)});
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.x.scale, AxisScale::Linear);
    EXPECT_EQ(placesIn(chart.series[0]), (std::vector<double>{-2, 0, 8.5}));
    EXPECT_LT(*chart.x.lowest, -2);
    EXPECT_GT(*chart.x.highest, 8.5);
    EXPECT_EQ(chart.series[0].points[2].label, "3.00");  // the end, also of numbers below zero
    const ChartSpec below = chartOver("bias", {runWith("bias", "-2", 1), runWith("bias", "-1", 2)});
    EXPECT_EQ(below.series.at(0).points.at(1).label, "2.00");
}

TEST(SettingChart, NumbersCloseTogetherKeepTheirDistance) {
    const ChartSpec chart =
        chartOver("size", {runWith("size", "224", 1), runWith("size", "240", 2), runWith("size", "256", 3)});
    EXPECT_EQ(chart.x.scale, AxisScale::Linear);
    EXPECT_GT(*chart.x.lowest, 200);
    EXPECT_LT(*chart.x.highest, 280);
}

TEST(SettingChart, ValuesThatAreNoNumbersAreColumns) {
    RunResult again = runWith("backend", "gpu", 920);
    again.repetition = 2;
    const ChartSpec chart =
        chartOver("backend", {runWith("backend", "gpu", 900), again, atDefault("backend", "cpu", 20)});
    EXPECT_EQ(chart.kind, ChartKind::Bars);
    EXPECT_EQ(chart.x.scale, AxisScale::Categories);
    EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"cpu", "gpu"}));
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(placesIn(chart.series[0]), (std::vector<double>{0, 1}));
    const Point& gpu = chart.series[0].points[1];
    EXPECT_EQ(gpu.y, 910);
    EXPECT_EQ(gpu.low, 900);
    EXPECT_EQ(gpu.high, 920);
    EXPECT_EQ(gpu.label, "910");
}

TEST(SettingChart, CategoriesStandInTheOrderOfTheirNumbers) {
    EXPECT_EQ(categoriesOf({"dynamic", "128", "1024", "-8", "static"}),
              (std::vector<std::string>{"-8", "128", "1024", "dynamic", "static"}));
    EXPECT_EQ(categoriesOf({"inf", "2", "10", "-inf"}), (std::vector<std::string>{"-inf", "2", "10", "inf"}));
    EXPECT_EQ(categoriesOf({"nan", "2", "10"}), (std::vector<std::string>{"2", "10", "nan"}));
    EXPECT_EQ(categoriesOf({"1", "1.0"}), (std::vector<std::string>{"1", "1.0"}));  // two cases, two places
    EXPECT_EQ(categoriesOf({"", "x"}), (std::vector<std::string>{"(empty)", "x"}));
}

TEST(SettingChart, OtherSettingsAndCampaignsStayLinesOfTheirOwn) {
    RunResult later = runWith("workers", "2", 110);
    later.campaign = "2026-11-22";
    RunResult larger = runWith("workers", "2", 120);
    larger.benchmarkCase.configuration.variant["threads"] = "8";
    const ChartSpec chart =
        chartOver("workers", {runWith("workers", "1", 100), runWith("workers", "2", 105), later, larger});
    ASSERT_EQ(chart.series.size(), 3U);
    EXPECT_EQ(std::ranges::count_if(chart.series, [](const Series& line) { return line.points.size() == 2; }),
              1);
    EXPECT_TRUE(std::ranges::any_of(
        chart.series, [](const Series& line) { return line.title == "dlperf-worker, threads=8"; }));
    for (const Series& line : chart.series) {
        EXPECT_EQ(line.title.find("workers"), std::string::npos) << line.title;
    }
}

TEST(SettingChart, MarksTheValueThatRanOutOfMemory) {
    RunResult lost = runWith("workers", "32", 0);
    lost.outcome = Outcome::Oom;
    lost.throughput.reset();
    const ChartSpec chart =
        chartOver("workers", {runWith("workers", "1", 100), runWith("workers", "2", 180), lost});
    ASSERT_EQ(chart.series.size(), 1U);
    ASSERT_EQ(chart.series[0].points.size(), 3U);
    EXPECT_TRUE(chart.series[0].points[2].missing);
    EXPECT_EQ(chart.series[0].points[2].x, 32);
    EXPECT_GT(*chart.x.highest, 32);
}

TEST(SettingChart, WarnsOfAllButWhatItsAxisShows) {
    RunResult larger = runWith("image_size", "64", 900);
    larger.benchmarkCase.configuration.batchSize = 256;
    const std::vector runs{larger, runWith("image_size", "128", 400), runWith("image_size", "64", 800)};
    EXPECT_TRUE(test::warns(chartOver("workers", runs).warnings, "Image sizes differ"));
    EXPECT_TRUE(test::warns(chartOver("image_size", runs).warnings, "Batch sizes differ"));
    EXPECT_FALSE(test::warns(chartOver("image_size", runs).warnings, "Image sizes differ"));
    EXPECT_TRUE(test::warns(chartOver("", runs).warnings, "Image sizes differ"));
    EXPECT_FALSE(test::warns(chartOver("", runs).warnings, "Batch sizes differ"));
}

TEST(SweptSettings, AreThoseWhoseValuesDiffer) {
    RunResult one = runWith("workers", "1", 100);
    one.benchmarkCase.configuration.variant["backend"] = "cpu";
    RunResult two = runWith("workers", "2", 110);
    two.benchmarkCase.configuration.variant["backend"] = "cpu";
    EXPECT_EQ(sweptSettings(compare({one, two}, vocabulary())), std::vector{workers});
    two.benchmarkCase.configuration.batchSize = 256;
    EXPECT_EQ(sweptSettings(compare({one, two}, vocabulary())), (std::vector{Setting{}, workers}));
    const std::vector unknown{runWith("workers", "1", 100), ownRun({1, 1}, 1, 90)};
    EXPECT_TRUE(sweptSettings(compare(unknown, vocabulary())).empty());
    const std::vector known{runWith("workers", "1", 100), atDefault("workers", "4", 90)};
    EXPECT_EQ(sweptSettings(compare(known, vocabulary())), std::vector{workers});
}

TEST(SweptSettings, AreShownWhereTwoValuesWereMeasured) {
    const Comparison comparison = compare(
        {runWith("workers", "1", 100), runWith("workers", "2", 110), runWith("workers", "2", 210, {1, 2})},
        vocabulary());
    EXPECT_EQ(sweepTopology(comparison, workers), (Topology{1, 1}));
    EXPECT_EQ(sweepTopology(comparison, {"threads"}), (Topology{1, 2}));  // of none the largest
}

TEST(SweptSettings, HaveTheirChartsInTheReport) {
    const Report report = buildReport(
        {runWith("workers", "1", 100), runWith("workers", "2", 110), runWith("workers", "2", 210, {1, 2})},
        vocabulary());
    ASSERT_EQ(report.sections.size(), 1U);
    const auto charts = std::ranges::count_if(report.sections[0].charts, [](const ChartSpec& chart) {
        return chart.title == "Throughput over workers, 1n1g";
    });
    EXPECT_EQ(charts, 1);
    EXPECT_TRUE(std::ranges::none_of(report.sections[0].charts, [](const ChartSpec& chart) {
        return chart.title == "Throughput over workers, 1n2g";  // one value only
    }));
}

}  // namespace
}  // namespace dlperf::report
