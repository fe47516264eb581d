// SPDX-License-Identifier: Apache-2.0
// What logs say of themselves stands where their figures do: in the cell, on the points, in the report.
#include "core/report/finding.h"

#include <gtest/gtest.h>

#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::vocabulary;

RunResult saying(int repetition, const char* kind, const char* what, const char* where = "") {
    RunResult run = ownRun({1, 1}, repetition, 200);
    run.findings = {{kind, what, where}};
    return run;
}

std::vector<CellFinding> found(const std::vector<RunResult>& runs) {
    return compare(runs, vocabulary()).series.at(0).cells.at(0).findings;
}

TEST(LogFindings, StandInTheCellOnThePointAndInTheReport) {
    const std::vector<RunResult> runs{saying(1, "drift", "the last quarter takes 12 % longer")};
    const std::string text =
        "Drift within the measurement range: repetition 1: the last quarter takes 12 % longer. "
        "The figure depends on where the range lies.";
    const Comparison comparison = compare(runs, vocabulary());
    EXPECT_EQ(findingText(comparison.series[0].cells[0].findings, true), text);
    EXPECT_EQ(throughputBars(comparison, vocabulary(), {}).series[0].points[0].finding, text);
    const Report report = buildReport(runs, vocabulary());
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_NE(report.findings[0].find(text), std::string::npos);
    for (const char* file : {"r.md", "r.html", "r.json"}) {
        EXPECT_NE(renderReport(report, file, {})->front().bytes.find("takes 12 % longer"), std::string::npos)
            << file;
    }
}

TEST(LogFindings, OfManyRepetitionsAreOne) {
    std::vector<RunResult> runs;
    for (int i = 1; i <= 9; ++i) {
        runs.push_back(saying(i, "torn-line", "the last line is not whole", "line 17"));
    }
    runs[1].findings.push_back(
        {"data-share", "12 % of the measurement range goes into waiting for data", ""});
    const auto findings = found(runs);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].kind, FindingKind::DataShare);
    EXPECT_EQ(
        findings[1].howMuch,
        "repetition 1, line 17: the last line is not whole; repetitions 2, 3, 4, 5, 6 and 3 more likewise");
}

// Each id of the analysis that a log can have is a word for people.
TEST(LogFindings, HaveNamesForWhatTheAnalysisSays) {
    for (const char* id : {"short-window",
                           "few-lines",
                           "repeated-repetition",
                           "odd-name",
                           "header-contradicts",
                           "leading-digit",
                           "clock-steps-back",
                           "clock-steps-back-within",
                           "midnight",
                           "second-pass",
                           "no-time",
                           "drift",
                           "data-share",
                           "several-ranks",
                           "resumed",
                           "torn-line",
                           "odd-line",
                           "unreadable-line",
                           "line-cut",
                           "test-line",
                           "too-many-lines",
                           "odd-window",
                           "odd-stride",
                           "coarse-mean"}) {
        EXPECT_NE(kindOfLogFinding(id), FindingKind::Remark) << id;
    }
    EXPECT_EQ(kindOfLogFinding("gpu-processes"), FindingKind::Remark);
}

// Beside the figures, and once of a series: what it reaches over its nodes is no scaling.
TEST(LogFindings, NodesThatAreOneMachineAreARemarkOfTheSeries) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 200), ownRun({2, 1}, 1, 380), ownRun({2, 1}, 2, 381),
                                ownRun({3, 1}, 1, 560)};
    runs[1].findings = runs[2].findings = {{"one-machine", "nodes a, b are one machine", ""}};
    runs[3].findings = {{"one-machine", "nodes a, b, c are one machine", ""}};
    const Comparison comparison = compare(runs, vocabulary());
    ASSERT_EQ(comparison.warnings.size(), 1U);
    EXPECT_EQ(warningText(comparison.warnings[0]),
              "dlperf-worker was measured on nodes that share a machine: nodes a, b, c are one machine");
    EXPECT_EQ(findCell(comparison.series[0], {2, 1})->findings.at(0),
              (CellFinding{FindingKind::OneMachine,
                           "repetition 1: nodes a, b are one machine; repetition 2 likewise"}));
    EXPECT_TRUE(compare({ownRun({1, 1}, 1, 200)}, vocabulary()).warnings.empty());
}

TEST(LogFindings, SayWhyTheyMatterWhereTheyStandAlone) {
    EXPECT_EQ(withWhy("drift", "drifts"), "drifts. The figure depends on where the range lies.");
    EXPECT_EQ(withWhy("bad-name", "aborts here."),
              "aborts here. Under a wrong case the right figure misleads.");
    EXPECT_EQ(withWhy("unreadable-file", "is gone"), "is gone");
}

TEST(LogFindings, OfRunsThatTakeNoPart) {
    RunResult excluded = saying(1, "drift", "drifts");  // by the user
    excluded.excluded = true;
    RunResult replaced = saying(2, "repeated-repetition", "is repetition 3 as another log is");
    replaced.excluded = true;
    RunResult failed = saying(3, "short-window", "ends at 50");
    failed.outcome = Outcome::Failed;
    RunResult shortRun = saying(4, "short-window", "ends at 60");
    shortRun.outcome = Outcome::Short;
    const auto findings = found({excluded, replaced, failed, shortRun, ownRun({1, 1}, 5, 200)});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0], (CellFinding{FindingKind::ShortRange, "repetition 4: ends at 60"}));
    EXPECT_EQ(findings[1],
              (CellFinding{FindingKind::Overwritten, "repetition 2: is repetition 3 as another log is"}));
}

TEST(LogFindings, APlaceWithoutAFigureIsMarkedOnTheAxis) {
    RunResult lost = ownRun({1, 2}, 1, 0);
    lost.outcome = Outcome::Oom;
    lost.throughput.reset();
    const ChartSpec bars =
        throughputBars(compare({ownRun({1, 1}, 1, 200), lost}, vocabulary()), vocabulary(), {});
    ASSERT_EQ(bars.series[0].points.size(), 2U);
    const Point& place = bars.series[0].points[1];
    EXPECT_TRUE(place.missing);
    EXPECT_TRUE(place.finding.starts_with("Missing figure: OOM. ")) << place.finding;
    EXPECT_EQ(place.label, "");
}

}  // namespace
}  // namespace dlperf::report
