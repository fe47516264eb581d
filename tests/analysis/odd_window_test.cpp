// SPDX-License-Identifier: Apache-2.0
// Where DLPerf's extractors give a wrong figure without a word, or none: the right one or nothing, and a
// finding that names theirs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

using testing::HasSubstr;

std::string trainSteps(int from, int to, const char* hour) {
    std::string log;
    for (int step = from; step <= to; ++step) {
        log += fmt::format("I0905 {}:{:02}.000001 1 x.py:450] Train Step: {}/120  / loss = 8.1\n", hour,
                           step % 60, step);
    }
    return log;
}

TEST(OddWindow, ADayThatChangesInItIsCounted) {
    const std::string log = trainSteps(1, 59, "23:59") + trainSteps(60, 80, "00:00");
    const auto run = analyzeLog("tensorflow2-bert", log, {{1, 1}, 1000}, {20, 80});
    EXPECT_EQ(run.figure.value, 1000.0);
    EXPECT_LT(run.figure.dlperfValue.value_or(0), 0);
    EXPECT_THAT(run.finding("midnight"), HasSubstr("DLPerf's extractor gives -"));
}

std::string epochs(int count, int devices) {
    std::string log;
    for (int epoch = 1; epoch <= count; ++epoch) {
        for (int device = 0; device < devices; ++device) {
            log += fmt::format(
                "epoch: {} step: 10, loss is 6.9\nepoch time: 1000.000 ms, per step time: 100.0 ms\n", epoch);
        }
    }
    return log;
}

TEST(OddWindow, MindSporesShortLogHasNoFigure) {
    const auto whole = analyzeLog("mindspore-resnet50", epochs(12, 1), {{1, 1}, 10}, {20, 120});
    EXPECT_EQ(whole.figure.value, 100.0);
    EXPECT_TRUE(whole.figure.findings.empty());
    EXPECT_TRUE(whole.reached);
    const auto shorter = analyzeLog("mindspore-resnet50", epochs(7, 1), {{1, 1}, 10}, {20, 120});
    EXPECT_FALSE(shorter.figure.value);
    EXPECT_EQ(shorter.figure.dlperfValue, 200.0);  // 5 of 10 epochs
    EXPECT_THAT(shorter.finding("short-window"), HasSubstr("gives 200"));
    const auto none = analyzeLog("mindspore-resnet50", epochs(2, 1), {{1, 1}, 10}, {20, 120});
    EXPECT_THAT(none.finding("short-window"), HasSubstr("leaves the log out"));
}

TEST(OddWindow, AnEpochTimeThatCameTooLateIsTold) {
    std::string log = epochs(11, 2);
    log += "epoch: 12 step: 10, loss is 6.9\nepoch time: 1000.000 ms, per step time: 100.0 ms\n";
    log += "epoch: 12 step: 10, loss is 6.9\nepoch: 13 step: 10, loss is 6.9\nepoch time: 1000.000 ms\n";
    const auto run = analyzeLog("mindspore-resnet50", log, {{1, 2}, 10}, {20, 120});
    EXPECT_THAT(run.finding("odd-window"), HasSubstr("190"));
}

TEST(OddWindow, WhereTheCountMustBeExactALineTooManyIsToldAndHasNoFigure) {
    std::string log;
    for (int batch = 1; batch <= 30; ++batch) {
        log += fmt::format("INFO:root:Epoch[0] Batch[{}]\tSpeed: 100.00 samples/sec\n", batch);
    }
    EXPECT_EQ(analyzeLog("mxnet-resnet50", log, {{1, 1}, 1}, {20, 30}).figure.value, 100.0);
    const auto more = analyzeLog("mxnet-resnet50", log, {{1, 1}, 1}, {20, 29});
    EXPECT_FALSE(more.figure.value);
    EXPECT_THAT(more.finding("too-many-lines"), HasSubstr("30"));
    const auto less = analyzeLog("mxnet-resnet50", log, {{1, 1}, 1}, {20, 31});
    EXPECT_FALSE(less.figure.value);
    EXPECT_THAT(less.finding("short-window"), HasSubstr("aborts"));
}

TEST(OddWindow, ALongerNumberIsNotTheWindowsStart) {
    std::string log;
    for (int iteration = 10; iteration <= 120; iteration += 10) {
        log +=
            fmt::format("DLL 2020-08-26 18:{:02}:00.000001 - Iteration: {}  throughput_train : 1.0 seq/s\n",
                        iteration / 10, iteration);
    }
    const auto run = analyzeLog("ngc-tensorflow1-bert-time", log, {{1, 1}, 60}, {10, 120});
    EXPECT_EQ(run.figure.value, 10.0);  // 11 minutes for 110 iterations; DLPerf's starts at 100
}

}  // namespace
}  // namespace dlperf::analysis
