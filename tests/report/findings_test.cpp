// SPDX-License-Identifier: Apache-2.0
// What stands out among repetitions, along a series and between series: each finding where it belongs, and
// none where nothing is wrong. The published ones are those that a reader of DLPerf's tables can check.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::quotedRun;
using test::seriesOf;
using test::vocabulary;

std::vector<RunResult> runsOf(Topology topology, const std::vector<double>& figures) {
    std::vector<RunResult> runs;
    for (const double figure : figures) {
        runs.push_back(ownRun(topology, static_cast<int>(runs.size()) + 1, figure));
    }
    return runs;
}

std::vector<RunResult> both(std::vector<RunResult> some, const std::vector<RunResult>& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
}

const Cell& cellOf(const Comparison& comparison, const Topology& topology, std::size_t series = 0) {
    return *findCell(comparison.series.at(series), topology);
}

// "" where the cell has no such finding.
std::string said(const Cell& cell, FindingKind kind) {
    for (const CellFinding& finding : cell.findings) {
        if (finding.kind == kind) {
            return finding.howMuch;
        }
    }
    return {};
}

Comparison ofSource(const std::string& source, const std::string& model, const std::string& precision,
                    std::set<int> batchSizes) {
    std::vector<RunResult> chosen;
    for (const RunResult& result : test::published()) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (result.campaign.starts_with(source) && configuration.model == model &&
            configuration.precision == precision && batchSizes.contains(configuration.batchSize)) {
            chosen.push_back(result);
        }
    }
    return compare(chosen, vocabulary());
}

int countOf(const Comparison& comparison, FindingKind kind) {
    int count = 0;
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            count += said(cell, kind).empty() ? 0 : 1;
        }
    }
    return count;
}

TEST(Findings, SaysWhatHowMuchAndWhy) {
    const Comparison comparison = compare(runsOf({1, 1}, {100, 104}), vocabulary());
    const auto& findings = cellOf(comparison, {1, 1}).findings;
    ASSERT_EQ(findings.size(), 1U);
    // 1.4826 * 2 / 102
    EXPECT_EQ(
        findingText(findings, true),
        "Wide spread: 100.00 to 104.00, a robust standard deviation of 2.9\u00A0%. The next repetition may "
        "move the median by as much.");
    EXPECT_TRUE(cellOf(compare(runsOf({1, 1}, {200, 201}), vocabulary()), {1, 1}).findings.empty());
}

TEST(Findings, NameTheRepetitionThatIsAnOutlier) {
    auto runs = runsOf({1, 1}, {100, 100.5, 99.8, 70, 100.2, 100.1});
    runs[1].excluded = true;  // numbers stay those of the runs
    const Comparison comparison = compare(runs, vocabulary());
    EXPECT_EQ(said(cellOf(comparison, {1, 1}), FindingKind::Outlier),
              "repetition 4 has 70.00, −30.0\u00A0% off the median");
    EXPECT_EQ(said(cellOf(comparison, {1, 1}), FindingKind::WideSpread), "");  // the others agree
    EXPECT_NE(said(cellOf(comparison, {1, 1}), FindingKind::Skewed), "");
}

TEST(Findings, ThePublishedAverageAndMedianThatDisagree) {
    const Comparison comparison = ofSource("DLPerf, NGC PyTorch (early text)", "r50", "fp32", {128});
    bool found = false;
    for (const ComparedSeries& series : comparison.series) {
        if (const Cell* cell = findCell(series, {1, 8}); cell != nullptr) {
            found = found || said(*cell, FindingKind::Skewed) == "average 2,014.63, median 2,802.14";
        }
    }
    EXPECT_TRUE(found);
}

TEST(Findings, ThroughputThatFallsAsDevicesGrow) {
    const Comparison paddle = ofSource("reports/dlperf_benchmark_test_report_v1.md", "r50", "amp", {196});
    int falls = 0;
    for (const ComparedSeries& series : paddle.series) {
        const std::string text = said(*findCell(series, {2, 8}), FindingKind::Falls);
        falls += text == "6,862.17 on 1n8g, 6,018.46 on 2n8g (−12.3\u00A0%)" ? 1 : 0;
    }
    EXPECT_EQ(falls, 1);
    const auto fall = [](const std::vector<double>& one, const std::vector<double>& two) {
        const Comparison comparison = compare(both(runsOf({1, 1}, one), runsOf({1, 2}, two)), vocabulary());
        return said(cellOf(comparison, {1, 2}), FindingKind::Falls);
    };
    EXPECT_NE(fall({100, 101, 102, 103}, {90, 91, 92, 93}), "");
    EXPECT_EQ(fall({100, 101, 102, 103}, {104, 98, 99, 101}), "");  // 1.5 % less, but not told apart
    EXPECT_EQ(fall({100}, {99.6}), "");
}

TEST(Findings, SuperLinearSpeedupBeyondATolerance) {
    const auto super = [](double eight) {
        const Comparison comparison =
            compare({quotedRun("OneFlow", {1, 1}, 100), quotedRun("OneFlow", {1, 8}, eight)}, vocabulary());
        return said(cellOf(comparison, {1, 8}), FindingKind::SuperLinear);
    };
    EXPECT_EQ(super(840), "8.40× on 8 devices, efficiency 105.0\u00A0%");
    EXPECT_EQ(super(812), "");
    // Five repetitions of one device that lie so far apart allow for no such word.
    const Comparison wide =
        compare(both(runsOf({1, 1}, {100, 90, 110, 80, 120}), runsOf({1, 2}, {208, 208, 208, 208, 208})),
                vocabulary());
    EXPECT_EQ(said(cellOf(wide, {1, 2}), FindingKind::SuperLinear), "");
}

TEST(Findings, ASeriesWithoutItsBaseSaysSoOnce) {
    const Comparison comparison =
        compare({quotedRun("OneFlow", {2, 8}, 100), quotedRun("OneFlow", {4, 8}, 190),
                 quotedRun("NGC PyTorch", {1, 1}, 10), quotedRun("NGC PyTorch", {2, 8}, 99)},
                vocabulary());
    EXPECT_EQ(countOf(comparison, FindingKind::NoBase), 1);
    EXPECT_EQ(said(*findCell(seriesOf(comparison, "OneFlow"), {2, 8}), FindingKind::NoBase),
              "the smallest topology with a figure is 2n8g");
}

// OneFlow's columns for batch sizes 160 and 128 have the same figures on every topology.
TEST(Findings, ThePublishedColumnThatStandsThereTwice) {
    const Comparison comparison = ofSource("DLPerf, five frameworks (early text)", "r50", "fp32", {128, 160});
    const int marks = countOf(comparison, FindingKind::Identical);
    EXPECT_GE(marks, 6);
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (!said(cell, FindingKind::Identical).empty()) {
                EXPECT_EQ(series.key.configuration.framework, "oneflow") << series.title;
            }
        }
    }
    // Two figures may meet by chance.
    const Comparison chance =
        compare({quotedRun("OneFlow", {1, 1}, 10), quotedRun("OneFlow", {1, 2}, 20),
                 quotedRun("NGC PyTorch", {1, 1}, 10), quotedRun("NGC PyTorch", {1, 2}, 20)},
                vocabulary());
    EXPECT_EQ(countOf(chance, FindingKind::Identical), 0);
}

// A report has a section for each batch size: only the one over the batch size sees both columns.
TEST(Findings, AReportTellsOfColumnsThatStandThereTwice) {
    std::vector<RunResult> runs;
    for (const RunResult& result : test::published()) {
        if (result.campaign == "DLPerf, five frameworks (early text)") {
            runs.push_back(result);
        }
    }
    const Report report = buildReport(runs, vocabulary());
    EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [](const std::string& text) {
        return text.find("Identical figures") != std::string::npos;
    }));
}

TEST(Findings, MissingFiguresAreToldWhereSomebodyMeantToHaveThem) {
    RunResult todo = quotedRun("OneFlow", {1, 8}, 0);
    todo.throughput.reset();
    todo.outcome = Outcome::NotRun;
    todo.reason = "TODO in the source";
    RunResult oom = todo;
    oom.benchmarkCase.topology = {4, 8};
    oom.outcome = Outcome::Oom;
    const Comparison comparison = compare(
        {quotedRun("OneFlow", {1, 1}, 10), todo, oom, quotedRun("NGC PyTorch", {1, 1}, 10)}, vocabulary());
    const ComparedSeries& oneflow = seriesOf(comparison, "OneFlow");
    EXPECT_EQ(said(*findCell(oneflow, {1, 8}), FindingKind::Missing), "TODO in the source");
    EXPECT_EQ(said(*findCell(oneflow, {4, 8}), FindingKind::Missing), "OOM");
    EXPECT_TRUE(findCell(seriesOf(comparison, "NGC PyTorch"), {1, 8})->findings.empty());
}

TEST(Findings, ThePublishedSpeedupsThatTheirFiguresDoNotGive) {
    const Comparison comparison = compare(test::published(), vocabulary());
    std::set<std::string> quoted;
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            const std::string text = said(cell, FindingKind::QuotedSpeedup);
            quoted.insert(text.substr(0, text.find(',')));
        }
    }
    for (const char* known : {"10.20×", "27.33×", "29.75×"}) {
        EXPECT_TRUE(quoted.contains(known)) << known;
    }
}

TEST(Findings, AreMarkedOnThePointsOfTheCharts) {
    const Comparison comparison =
        compare({quotedRun("OneFlow", {1, 1}, 100), quotedRun("OneFlow", {1, 2}, 90)}, vocabulary());
    const auto bars = throughputBars(comparison, vocabulary(), {});
    EXPECT_EQ(bars.series[0].points[0].finding, "");
    EXPECT_TRUE(bars.series[0].points[1].finding.starts_with("Throughput falls: "));
    EXPECT_EQ(speedupLines(comparison, vocabulary(), {}).series[1].points[1].finding,
              bars.series[0].points[1].finding);
}

}  // namespace
}  // namespace dlperf::report
