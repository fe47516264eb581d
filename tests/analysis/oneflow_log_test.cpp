// SPDX-License-Identifier: Apache-2.0
// Logs of OneFlow: the header says what ran, stamps of two iterations say how fast.
#include <gtest/gtest.h>

#include "core/analysis/summary.h"
#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

const std::string oneflowHeader =
    "model = resnet50\nbatch_size_per_device = 128\ngpu_num_per_node = 8\nnum_nodes = 2\n";
const std::string firstLine =
    "train: epoch 0, iter 20, loss: 7.087004, top_1: 0.000000, top_k: 0.000000, samples/s: 3988.891 "
    "1597933942.9863544\n";
const std::string lastLine =
    "train: epoch 0, iter 120, loss: 1.050499, top_1: 1.000000, top_k: 1.000000, samples/s: 5917.583 "
    "1597933977.6064055\n";

AnalyzedBytes oneflow(std::string_view log, RunShape shape = {}) {
    return analyzeLog("oneflow-resnet50", log, shape, {20, 120});
}

TEST(Oneflow, GivesThePublishedFigure) {
    const auto run = oneflow(oneflowHeader + firstLine + lastLine);
    ASSERT_TRUE(run.figure.value);
    EXPECT_EQ(rounded(*run.figure.value, 2, Rounding::Python), 5915.65);
    EXPECT_NE(*run.figure.value, 5915.65);  // folded unrounded
    EXPECT_EQ(run.figure.headerShape, (RunShape{{2, 8}, 128}));
    ASSERT_EQ(run.iterations.size(), 2U);
    EXPECT_EQ(run.iterations[1].number, 120);
    EXPECT_DOUBLE_EQ(run.iterations[1].seconds.value(), (1597933977.6064055 - 1597933942.9863544) / 100);
    EXPECT_EQ(run.iterations[1].loss, 1.050499);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(Oneflow, TheHeaderMayFollow) {
    EXPECT_EQ(oneflow(firstLine + lastLine + oneflowHeader).figure.value,
              oneflow(oneflowHeader + firstLine + lastLine).figure.value);
}

TEST(Oneflow, TheHeaderCountsOverThePath) {
    const auto run = oneflow(oneflowHeader + firstLine + lastLine, {{1, 8}, 128});
    EXPECT_EQ(rounded(run.figure.value.value(), 2, Rounding::Python), 5915.65);
    EXPECT_NE(run.finding("header-contradicts").find("1n8g"), std::string::npos);
    EXPECT_TRUE(
        oneflow(oneflowHeader + firstLine + lastLine, {{2, 8}, 128}).finding("header-contradicts").empty());
}

TEST(Oneflow, WithoutHeaderThereIsNoFigure) {
    for (const char* bad : {"", "num_nodes = 2\ngpu_num_per_node = 8\n", "num_nodes = x\n", "num_nodes = 0\n",
                            "num_nodes = 99999999999\n",
                            "num_nodes = 65536\ngpu_num_per_node = 65536\nbatch_size_per_device = 1\n"}) {
        const auto run = oneflow(bad + firstLine + lastLine);
        EXPECT_EQ(run.figure.value, std::nullopt) << bad;
        EXPECT_FALSE(run.finding("no-header").empty()) << bad;
    }
}

TEST(Oneflow, BothEndsAreNeeded) {
    for (const std::string& log : {oneflowHeader + firstLine, oneflowHeader + lastLine, oneflowHeader}) {
        const auto run = oneflow(log);
        EXPECT_EQ(run.figure.value, std::nullopt);
        EXPECT_EQ(run.figure.dlperfValue, std::nullopt);
        EXPECT_NE(run.finding("short-window").find("aborts"), std::string::npos);
    }
}

TEST(Oneflow, ASecondWholePassCounts) {
    const auto run =
        oneflow(oneflowHeader + firstLine + lastLine + "train: epoch 1, iter 20, loss: 1.0 1597934000.0\n" +
                "train: epoch 1, iter 120, loss: 1.0 1597934100.0\n");
    EXPECT_EQ(run.figure.value, 2048.0);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(Oneflow, AHalfSecondPassDoesNotMixIn) {
    const auto run =
        oneflow(oneflowHeader + firstLine + lastLine + "train: epoch 1, iter 20, loss: 1.0 1597934000.0\n");
    EXPECT_EQ(rounded(run.figure.value.value(), 2, Rounding::Python), 5915.65);
    ASSERT_TRUE(run.figure.dlperfValue);
    EXPECT_LT(*run.figure.dlperfValue, 0);
    EXPECT_FALSE(run.finding("second-pass").empty());
}

TEST(Oneflow, AnUnreadableTrainLineEndsTheLog) {
    for (const char* bad :
         {"train: epoch 0, iter x, loss: 7.0 1597933942.9\n", "train: epoch 0, iter 40, loss: 7.0 soon\n",
          "train: \n", "train: epoch 0, iter 40, loss: 7.0 nan\n"}) {
        const auto run = oneflow(oneflowHeader + firstLine + bad + lastLine);
        EXPECT_EQ(run.figure.value, std::nullopt) << bad;
        EXPECT_FALSE(run.finding("unreadable-line").empty()) << bad;
    }
    // Another first word is another line.
    EXPECT_TRUE(
        oneflow(oneflowHeader + firstLine + "[1]train: epoch\nvalidation: x\n" + lastLine).figure.value);
}

}  // namespace
}  // namespace dlperf::analysis
