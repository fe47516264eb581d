// SPDX-License-Identifier: Apache-2.0
// Two cases are called different only when their repetitions say so. p is scipy 1.17.1's, computed beside the
// project: stats.mannwhitneyu(a, b, method="exact").
#include "core/report/difference.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::quotedRun;
using test::seriesOf;
using test::vocabulary;

void add(std::vector<RunResult>& runs, const std::string& implementation, Topology topology,
         const std::vector<double>& figures) {
    int repetition = 0;
    for (const double figure : figures) {
        RunResult run = ownRun(topology, ++repetition, figure);
        run.benchmarkCase.configuration.implementation = implementation;
        runs.push_back(run);
    }
}

// c is 1 % behind a, but one of five of each cannot be told from the others; b is behind for sure.
Comparison three() {
    std::vector<RunResult> runs;
    add(runs, "a", {1, 8}, {100, 101, 102, 103, 104});
    add(runs, "b", {1, 8}, {90, 91, 92, 93, 94});
    add(runs, "c", {1, 8}, {99, 100.5, 101, 102.5, 103.5});
    add(runs, "d", {1, 8}, {80, 81});
    return compare(runs, vocabulary());
}

TEST(Difference, IsJudgedByTheRepetitions) {
    const Comparison comparison = three();
    const ComparedSeries* best = bestAt(comparison, {1, 8});
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(best->title, "a");
    const Cell& yardstick = best->cells[0];
    const auto of = [&](const char* title) {
        return *differenceOf(seriesOf(comparison, title).cells[0], yardstick);
    };
    EXPECT_EQ(of("b").verdict, analysis::Verdict::Different);
    EXPECT_NEAR(*of("b").p, 0.007936507936507936, 1e-15);
    EXPECT_DOUBLE_EQ(of("b").relative, 92.0 / 102 - 1);
    EXPECT_EQ(of("c").verdict, analysis::Verdict::Alike);
    EXPECT_TRUE(reasonText(of("c")).starts_with("Not distinguishable: p = 0."));
    EXPECT_EQ(of("d").verdict, analysis::Verdict::TooFew);  // 2 of 21 arrangements are as far apart
    EXPECT_TRUE(reasonText(of("d")).starts_with("Too few to say whether they differ: 2 and 5 runs"));
}

TEST(Difference, OfQuotedFiguresIsNotJudged) {
    const Comparison comparison =
        compare({quotedRun("OneFlow", {1, 8}, 100), quotedRun("NGC PyTorch", {1, 8}, 90)}, vocabulary());
    const auto difference = differenceOf(comparison.series[1].cells[0], comparison.series[0].cells[0]);
    ASSERT_TRUE(difference);
    EXPECT_NEAR(difference->relative, -0.1, 1e-12);
    EXPECT_EQ(difference->verdict, analysis::Verdict::Unknown);
    EXPECT_FALSE(difference->p);
    EXPECT_TRUE(differencesFromBest(comparison, {1, 8}).empty());
}

TEST(Difference, OfSingleRunsIsSaidOnceNotToBeKnown) {
    std::vector<RunResult> runs;
    add(runs, "a", {1, 8}, {100});
    add(runs, "b", {1, 8}, {90});
    add(runs, "c", {1, 8}, {80});
    const auto markdown = [&] {
        return renderReport(buildReport(runs, vocabulary()), "r.md", {})->at(0).bytes;
    };
    EXPECT_NE(markdown().find(
                  "Each case ran once, too few to say whether they differ:\n\n- b: −10.0\u00A0% against a\n"
                  "- c: −20.0\u00A0% against a\n"),
              std::string::npos)
        << markdown();
    EXPECT_EQ(markdown().find("too few runs ("), std::string::npos);
    RunResult again = runs[1];
    again.repetition = 2;
    runs.push_back(again);
    EXPECT_NE(markdown().find("c: −20.0\u00A0% against a; too few runs (p = "), std::string::npos)
        << markdown();
}

TEST(Difference, NeedsTwoFigures) {
    const Comparison comparison =
        compare({quotedRun("OneFlow", {1, 8}, 100), quotedRun("NGC PyTorch", {1, 1}, 9)}, vocabulary());
    const Cell& none = *findCell(seriesOf(comparison, "OneFlow"), {1, 1});
    EXPECT_FALSE(differenceOf(none, *findCell(seriesOf(comparison, "NGC PyTorch"), {1, 1})));
    EXPECT_EQ(bestAt(comparison, {4, 8}), nullptr);
}

TEST(Difference, IsInReportsAndExports) {
    std::vector<RunResult> runs;
    add(runs, "a", {1, 8}, {100, 101, 102, 103, 104});
    add(runs, "c", {1, 8}, {99, 100.5, 101, 102.5, 103.5});
    const Report report = buildReport(runs, vocabulary());
    EXPECT_NE(report.sections.at(0).summary.find("(−1.0\u00A0%; not distinguishable)"), std::string::npos);
    const auto bytes = [&](const char* name) { return renderReport(report, name, {})->at(0).bytes; };
    EXPECT_NE(bytes("r.md").find("c: −1.0\u00A0% against a; not distinguishable (p = 0."), std::string::npos);
    const auto json = parseJson(bytes("r.json"), "r.json");
    bool found = false;
    for (const Json& series : *json) {
        const Json& difference = series.at("1n8g").at("difference");
        found = found || (!difference.is_null() && difference.at("verdict") == "not-distinguishable");
        EXPECT_EQ(series.at("1n8g").at("median_interval").size(), 2U);
    }
    EXPECT_TRUE(found);
    const std::string csv = bytes("r.csv");
    EXPECT_NE(csv.find("median_low"), std::string::npos);
    EXPECT_NE(csv.find(",not distinguishable,"), std::string::npos);
}

}  // namespace
}  // namespace dlperf::report
