// SPDX-License-Identifier: Apache-2.0
// `dlperf analyze` says of a folder of logs what Compare and reports say of a workspace.
#include "core/report/analysis_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/format_row.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::vocabulary;

analysis::AnalyzedLog logOf(const char* format, Topology topology, int batch, int repetition,
                            std::optional<double> figure) {
    analysis::AnalyzedLog log;
    log.format = analysis::findFormat(format);
    log.model = "r50";
    log.precision = "fp32";
    log.shape = {topology, batch};
    log.repetition = repetition;
    log.figure.value = figure;
    log.folded = figure.has_value();
    return log;
}

analysis::Analysis paddle(Topology topology, const std::vector<double>& figures) {
    analysis::Analysis analysis;
    for (const double figure : figures) {
        analysis.logs.push_back(
            logOf("paddle-resnet50", topology, 96, static_cast<int>(analysis.logs.size()) + 1, figure));
    }
    return analysis;
}

// "kind, where", one a line.
std::string kindsOf(const analysis::Analysis& analysis) {
    std::string kinds;
    for (const analysis::Finding& finding : findingsBetween(analysis, vocabulary())) {
        kinds += finding.kind + ", " + finding.where + "\n";
    }
    return kinds;
}

TEST(AnalysisFindings, RepetitionsThatDisagree) {
    const auto findings = findingsBetween(paddle({1, 8}, {100, 100.5, 99.8, 70, 100.2}), vocabulary());
    ASSERT_EQ(findings.size(), 2U);  // no 1n1g is the analysis' word
    EXPECT_EQ(findings[0].kind, "outlier");
    EXPECT_EQ(findings[0].where, "r50 b96 fp32, 1n8g");
    EXPECT_TRUE(
        findings[0].what.starts_with("Outlier: repetition 4 has 70.00, −30.0\u00A0% off the median. "))
        << findings[0].what;
    EXPECT_EQ(findings[1].kind, "skewed");
    EXPECT_EQ(kindsOf(paddle({1, 1}, {100, 104})), "wide-spread, r50 b96 fp32, 1n1g\n");
    EXPECT_EQ(kindsOf(paddle({1, 1}, {200, 201})), "");
}

// NGC PyTorch's 1n8g as DLPerf printed it: three of eight repetitions ran at a quarter of the others' speed.
TEST(AnalysisFindings, ThePublishedAverageAndMedianThatDisagree) {
    analysis::Analysis analysis;
    for (const RunResult& run : test::published()) {
        if (run.campaign == "DLPerf, NGC PyTorch (early text)" && run.repetition > 0 && !run.excluded &&
            run.benchmarkCase.topology == Topology{1, 8}) {
            analysis.logs.push_back(
                logOf("ngc-pytorch-resnet50", {1, 8}, 128, run.repetition, run.throughput));
        }
    }
    ASSERT_EQ(analysis.logs.size(), 8U);
    std::string said;
    for (const analysis::Finding& finding : findingsBetween(analysis, vocabulary())) {
        said += finding.what + "\n";
    }
    EXPECT_NE(said.find("average 2,014.63, median 2,802.14"), std::string::npos) << said;
    EXPECT_NE(said.find("Outlier: repetition 10 has 701.07, −75.0"), std::string::npos) << said;
}

TEST(AnalysisFindings, WhatSeriesShow) {
    analysis::Analysis analysis = paddle({1, 1}, {100});
    analysis.logs.push_back(logOf("paddle-resnet50", {1, 8}, 96, 1, 900));
    analysis.logs.push_back(logOf("paddle-resnet50", {2, 8}, 96, 1, 800));
    analysis.logs.push_back(logOf("paddle-resnet50", {4, 8}, 96, 1, std::nullopt));
    EXPECT_EQ(kindsOf(analysis),
              "super-linear, r50 b96 fp32, 1n8g\nthroughput-falls, r50 b96 fp32, 2n8g\n"
              "missing-figure, r50 b96 fp32, 4n8g\n");
}

TEST(AnalysisFindings, ColumnsThatStandThereTwice) {
    analysis::Analysis analysis;
    for (const int batch : {128, 160}) {
        for (const int devices : {1, 4, 8}) {
            analysis.logs.push_back(logOf("oneflow-resnet50", {1, devices}, batch, 1, 380.0 * devices));
        }
    }
    EXPECT_EQ(kindsOf(analysis).find("identical-figures, r50 b"), 0U) << kindsOf(analysis);
    EXPECT_EQ(findingsBetween(analysis, vocabulary()).size(), 6U);
}

TEST(AnalysisFindings, LogsThatTakeNoPartSayNothing) {
    analysis::Analysis replaced = paddle({1, 1}, {100, 150});
    replaced.logs[1].folded = false;  // another log of the repetition has its place
    EXPECT_EQ(kindsOf(replaced), "");
    analysis::Analysis latencies;
    latencies.logs.push_back(logOf("hugectr-wdl", {1, 1}, 512, 1, 1.0));
    latencies.logs.push_back(logOf("hugectr-wdl", {1, 1}, 512, 1, 2.0));  // of a larger vocabulary
    EXPECT_EQ(kindsOf(latencies), "");
}

TEST(AnalysisFindings, AFolderOfSeveralFormatsSaysWhich) {
    analysis::Analysis analysis = paddle({1, 1}, {100, 104});
    analysis.logs.push_back(logOf("ngc-pytorch-resnet50", {1, 1}, 96, 1, 300));
    EXPECT_EQ(kindsOf(analysis), "wide-spread, r50 b96 fp32 paddle-resnet50, 1n1g\n");
}

}  // namespace
}  // namespace dlperf::report
