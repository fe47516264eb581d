// SPDX-License-Identifier: Apache-2.0
// DLPerf's published medians and speedups come out of the comparison as they were printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/report/numbers.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

std::vector<RunResult> reportV1(const std::string& precision, int batchSize) {
    std::vector<RunResult> chosen;
    for (const RunResult& result : test::published()) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (result.campaign == "reports/dlperf_benchmark_test_report_v1.md" &&
            configuration.model.starts_with("r50") && configuration.precision == precision &&
            configuration.batchSize == batchSize) {
            chosen.push_back(result);
        }
    }
    return chosen;
}

struct Line {
    const char* title;
    std::vector<double> medians;  // 1n1g 1n8g 2n8g 4n8g
    const char* speedup;
    const char* efficiency;
};

TEST(ReportV1, ResNet50Fp32Batch128) {
    const std::vector<Line> lines{
        {"OneFlow", {397.64, 3130.34, 6260.30, 12411.97}, "31.21×", "97.5\u00A0%"},
        {"NGC MXNet", {392.24, 3006.98, 5758.49, 11331.93}, "28.89×", "90.3\u00A0%"},
        {"NGC PyTorch", {367.29, 2887.65, 5716.79, 10917.09}, "29.72×", "92.9\u00A0%"},
        {"PyTorch", {348.62, 2632.93, 5115.40, 10021.29}, "28.75×", "89.8\u00A0%"},
        {"MXNet gluon-cv, ResNet50 v1b", {384.19, 2556.03, 4855.34, 9579.74}, "24.93×", "77.9\u00A0%"},
        {"NGC TensorFlow 1.x", {362.44, 2721.98, 5099.42, 9514.64}, "26.25×", "82.0\u00A0%"},
        {"TensorFlow 2.x", {321.80, 2458.74, 4849.68, 9418.44}, "29.27×", "91.5\u00A0%"},
        {"PaddlePaddle", {352.72, 2625.38, 4895.27, 9348.17}, "26.50×", "82.8\u00A0%"}};
    const Comparison comparison = compare(reportV1("fp32", 128), test::vocabulary());
    EXPECT_EQ(comparison.title, "ResNet50 v1.5, fp32, batch size 128");
    ASSERT_EQ(comparison.series.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const ComparedSeries& series = comparison.series[i];
        EXPECT_EQ(series.title, lines[i].title);  // best first
        ASSERT_EQ(series.cells.size(), 4U);
        for (std::size_t cell = 0; cell < 4; ++cell) {
            EXPECT_EQ(series.cells[cell].fold.median, lines[i].medians[cell]);
            EXPECT_EQ(series.cells[cell].fold.count, 0);  // the report quotes medians, no repetitions
        }
        EXPECT_EQ(times(*series.cells[3].speedup), lines[i].speedup);
        EXPECT_EQ(percent(*series.cells[3].efficiency), lines[i].efficiency);
    }
    EXPECT_TRUE(test::warns(comparison.warnings, "Models differ: ResNet50 v1.5 ("));
    EXPECT_EQ(comparison.warnings.size(), 1U);
}

TEST(ReportV1, ScalingLossOfGluonCvIsFoundInsideOneNode) {
    const Comparison comparison = compare(reportV1("fp32", 128), test::vocabulary());
    const ComparedSeries& series = test::seriesOf(comparison, "MXNet gluon-cv, ResNet50 v1b");
    EXPECT_TRUE(findingText(series.cells[1].findings, false)
                    .starts_with("Scaling loss: inside one node, efficiency 83.2"));
    EXPECT_TRUE(series.cells[3].findings.empty());
    EXPECT_TRUE(test::seriesOf(comparison, "OneFlow").cells[1].findings.empty());
}

TEST(ScalingLoss, IsBehindTheMedianOfTheOthers) {
    std::vector<RunResult> results;
    const std::array<std::pair<const char*, double>, 5> efficiencies{
        {{"a", 0.79}, {"b", 0.80}, {"c", 0.86}, {"d", 0.97}, {"e", 0.98}}};
    for (const auto& [implementation, efficiency] : efficiencies) {
        results.push_back(test::quotedRun(implementation, {1, 1}, 100));
        results.push_back(test::quotedRun(implementation, {1, 8}, 800 * efficiency));
    }
    const Comparison comparison = compare(results, test::vocabulary());
    EXPECT_FALSE(test::seriesOf(comparison, "a").cells[1].findings.empty());
    EXPECT_TRUE(test::seriesOf(comparison, "c").cells[1].findings.empty());
}

TEST(ReportV1, FrameworksKeepOneFilledImplementation) {
    const Comparison comparison = compare(reportV1("fp32", 128), test::vocabulary());
    for (const char* filled : {"OneFlow", "NGC MXNet", "NGC PyTorch", "NGC TensorFlow 1.x", "PaddlePaddle"}) {
        EXPECT_EQ(test::seriesOf(comparison, filled).fill, 0) << filled;
    }
    for (const char* hollow : {"PyTorch", "MXNet gluon-cv, ResNet50 v1b", "TensorFlow 2.x"}) {
        EXPECT_EQ(test::seriesOf(comparison, hollow).fill, 1) << hollow;
    }
}

// Every speedup that the sources quote beside their figures, but for seven that contradict them (and these
// are warned about, once for the sources that print the same table).
TEST(PublishedSpeedups, AgreeWithTheirFigures) {
    const Comparison comparison = compare(test::published(), test::vocabulary());
    const auto contradictions =
        std::count_if(comparison.warnings.begin(), comparison.warnings.end(), [](const Warning& warning) {
            return warningText(warning).find("quotes a speedup of") != std::string::npos;
        });
    EXPECT_EQ(contradictions, 7);
    const auto doubled = std::count_if(
        comparison.warnings.begin(), comparison.warnings.end(),
        [](const Warning& warning) { return warningText(warning).find("quotes both") != std::string::npos; });
    EXPECT_EQ(doubled, 0);
    int checked = 0;
    for (const RunResult& result : test::published()) {
        checked += result.quotedSpeedup ? 1 : 0;
    }
    EXPECT_EQ(checked, 753);
}

// The readmes print repetitions and their folds: ours agree with theirs, to the digit.
TEST(PublishedFolds, FoldOfTheRepetitionsIsTheQuotedMedian) {
    const Comparison comparison = compare(test::published(), test::vocabulary());
    int folded = 0;
    int off = 0;
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (cell.repetitions.size() > 1 && cell.excluded == 0) {
                const auto own = analysis::fold(cell.repetitions, analysis::FoldRule{});
                ++folded;
                off += std::abs(*own.median - *cell.fold.median) > 0.0051 ? 1 : 0;
            }
        }
    }
    EXPECT_GE(folded, 100);
    EXPECT_EQ(off,
              2);  // two medians of NGC TensorFlow 1.x BERT, printed by an older numpy: 217.51 and 436.69
}

TEST(PublishedSummary, QuotedSpeedupStandsWhereThereIsNoOneDeviceFigure) {
    std::vector<RunResult> summary;
    for (const RunResult& result : test::published()) {
        if (result.campaign == "README.md" && result.benchmarkCase.configuration.precision == "fp32" &&
            result.benchmarkCase.configuration.model.starts_with("r50")) {
            summary.push_back(result);
        }
    }
    const Comparison comparison = compare(summary, test::vocabulary());
    EXPECT_EQ(test::seriesOf(comparison, "OneFlow").cells.at(0).speedup, 31.21);
    EXPECT_EQ(test::seriesOf(comparison, "MindSpore").cells.at(0).speedup, 29.02);
}

}  // namespace
}  // namespace dlperf::report
