// SPDX-License-Identifier: Apache-2.0
// Logs of pytorch/examples and of NGC PyTorch: DLPerf's own lines, and every odd case that its extractors
// have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

// Lines as DLPerf's readme shows them, tabs expanded.
constexpr std::string_view readmeLines =
    "Epoch: [0][ 0/53]       Time 12.054 (12.054)    Data  0.001 ( 0.001)    Loss 6.9828e+00 (6.9828e+00)    "
    "Acc@1   0.78 "
    "(  0.78) Acc@5   1.56 (  1.56)\n"
    "Epoch: [0][ 2/53]       Time  0.363 ( 4.462)    Data  0.114 ( 0.039)    Loss 3.3840e+01 (2.2378e+01)    "
    "Acc@1   2.34 "
    "(  1.56) Acc@5  10.94 (  7.81)\n"
    "Epoch: [0][10/53]       Time  0.575 ( 1.541)    Data  0.106 ( 0.088)    Loss 7.0139e+00 (1.4268e+01)    "
    "Acc@1   2.34 "
    "(  1.92) Acc@5   8.59 ( 10.87)\n"
    "Epoch: [0][13/13]       Time  0.548 ( 1.401)    Data  0.268 ( 0.157)    Loss 6.5306e+00 (1.7032e+01)    "
    "Acc@1   2.34 "
    "(  2.46)       Acc@5  10.16 ( 11.44)\n";

std::string exampleLine(int index, const std::string& time) {
    return fmt::format(
        "Epoch: [0][{:4}/5005]\tTime {} ( 4.462)\tData  0.114 ( 0.039)\tLoss 6.9e+00 (6.9e+00)\n", index,
        time);
}

std::string exampleLog(const std::vector<std::string>& times) {
    std::string log = "Use GPU: 0 for training\n";
    int index = 0;
    for (; index <= 5; ++index) {
        log += exampleLine(index, "12.054");
    }
    for (const std::string& time : times) {
        log += exampleLine(index++, time);
    }
    return log;
}

AnalyzedBytes examples(std::string_view log, MeasurementRange window) {
    return analyzeLog("pytorch-examples", log, oneDeviceOf128, window);
}

TEST(PytorchExamples, ReadsTheLinesOfTheReadme) {
    const auto run = examples(readmeLines, {0, 2});
    ASSERT_EQ(run.iterations.size(), 2U);  // indexes up to 5 do not count
    EXPECT_EQ(run.iterations[0].number, 1);
    EXPECT_EQ(run.iterations[0].line, 3);
    EXPECT_EQ(run.iterations[0].seconds, 0.575);
    EXPECT_EQ(run.iterations[0].dataSeconds, 0.106);
    EXPECT_EQ(run.iterations[0].loss, 7.0139);
    EXPECT_EQ(run.iterations[1].throughput, 128 / 0.548);
    EXPECT_EQ(run.figure.value, 227.96);  // 128 / ((0.575 + 0.548) / 2)
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PytorchExamples, ALeadingDigitIsNotLost) {
    const auto run = examples(exampleLog({" 0.363", "12.054", " 0.575"}), {1, 3});
    EXPECT_EQ(run.figure.value, 20.27);        // 128 / ((12.054 + 0.575) / 2)
    EXPECT_EQ(run.figure.dlperfValue, 97.38);  // 128 / ((2.054 + 0.575) / 2)
    EXPECT_NE(run.finding("leading-digit").find("97.38"), std::string::npos);
}

// The extractor's pattern takes any letter for the point: of " 0.1500" it reads 1500.
TEST(PytorchExamples, MoreDigitsBehindThePointAreNoLongIterations) {
    const auto run = examples(exampleLog({" 0.1500", " 0.2500", " 0.1500"}), {1, 3});
    EXPECT_EQ(run.figure.value, 640.0);  // 128 / ((0.25 + 0.15) / 2)
    EXPECT_EQ(run.figure.dlperfValue, 0.06);
    EXPECT_NE(run.finding("leading-digit").find("three behind it"), std::string::npos);
}

TEST(PytorchExamples, TimesThatLeaveNothingOfTheFigureGiveNone) {
    const auto run = examples(exampleLog({" 123456789.123", " 123456789.123"}), {0, 2});
    EXPECT_FALSE(run.figure.value);
    EXPECT_EQ(run.figure.missing, MissingReason::NoSpeed);
    EXPECT_EQ(run.figure.whyNone, "the times in the measurement range give no finite speed above zero");
    EXPECT_EQ(run.finding("no-time"), ": " + run.figure.whyNone);
}

// What is said to be measured is what the figure is made of: the lines 6 to 25 that count, of which index 6
// is the first.
TEST(PytorchExamples, TheWindowIsToldInTheTrainersNumbers) {
    std::string log;
    for (int index = 0; index <= 40; ++index) {
        log += exampleLine(index, index >= 11 && index <= 30 ? " 0.500" : " 9.000");
    }
    EXPECT_EQ(examples(log, {5, 25}).figure.value, 256.0);
    EXPECT_EQ(measuredIterations(*findFormat("pytorch-examples"), {5, 25}), "iterations 11 to 30");
    EXPECT_EQ(measuredIterations(*findFormat("dlperf-worker"), {5, 25}), "iterations 6 to 25");
    EXPECT_EQ(measuredLines(*findFormat("pytorch-examples"), {5, 25}),
              "lines 6 to 25 of those that count (iterations 11 to 30 where each iteration prints one)");
    EXPECT_EQ(measuredLines(*findFormat("timm"), {20, 120}), "the lines of iterations 21 to 120");
    EXPECT_EQ(measuredLines(*findFormat("dlperf-worker"), {5, 25}), "iterations 6 to 25");
    EXPECT_EQ(measuredIterations(*findFormat("ngc-tensorflow1-resnet50"), {20, 120}), "iterations 21 to 120");
    EXPECT_EQ(measuredIterations(*findFormat("tensorflow2-resnet50"), {100, 600}), "iterations 101 to 600");
}

// Printed every ten iterations, what is counted is not what the log numbers.
TEST(PytorchExamples, AShortLogIsToldInLines) {
    std::string log;
    for (int index = 0; index <= 390; index += 10) {
        log += exampleLine(index, " 0.500");
    }
    const auto run = examples(log, {20, 120});
    EXPECT_EQ(run.figure.whyNone,
              "the log has 39 lines that count as iterations, the measurement range needs 120");
    EXPECT_NE(run.finding("short-window")
                  .find("39 lines that count as iterations, the measurement range is from 20 to 120"),
              std::string::npos);
}

TEST(PytorchExamples, ALongTimeOutsideTheWindowIsNoFinding) {
    const auto run = examples(exampleLog({"112.054", " 0.363", " 0.575", "12.000"}), {1, 3});
    EXPECT_EQ(run.figure.value, 272.92);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PytorchExamples, AShortRunHasNoFigureAndNamesDlperfs) {
    const auto run = examples(exampleLog({" 0.363", " 0.575"}), {1, 3});
    EXPECT_FALSE(run.reached);
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, 0.0);
    EXPECT_NE(run.finding("short-window").find("gives 0"), std::string::npos);
}

TEST(PytorchExamples, NothingBehindTheWindowMatters) {
    const std::string log = exampleLog({" 0.363", " 0.575", " 0.575"});
    const auto run = examples(log + "Epoch: broken\n", {1, 3});
    EXPECT_EQ(run.figure.value, examples(log, {1, 3}).figure.value);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PytorchExamples, WhereTheExtractorAbortsTheLogHasNoFigure) {
    for (const std::string& bad :
         {std::string("Epoch: broken\n"), std::string("Epoch: [0][7]\tTime  0.363 \n"),
          exampleLine(9, "unknown"), std::string("Epoch: [0][ 9/53] no time here\n")}) {
        const auto run = examples(bad + exampleLog({" 0.363", " 0.575", " 0.575"}), {1, 3});
        EXPECT_EQ(run.figure.value, std::nullopt) << bad;
        EXPECT_NE(run.finding("unreadable-line").find("line 1"), std::string::npos) << bad;
        EXPECT_GE(run.iterations.size(), 3U) << bad;  // the live chart goes on
        EXPECT_TRUE(run.reached) << bad;              // and so may the runner
    }
}

TEST(PytorchExamples, ManyBadLinesAreOneFinding) {
    std::string log;
    for (int i = 0; i < 1000; ++i) {
        log += "Epoch: broken\n";
    }
    const auto run = examples(log, {1, 3});
    ASSERT_EQ(run.figure.findings.size(), 1U);
    EXPECT_NE(run.figure.findings[0].what.find("999 more"), std::string::npos);
}

TEST(PytorchExamples, ReadsOldLayoutsAndLauncherPrefixes) {
    const std::string old =
        "[1,0]<stdout>:Epoch: [0][6/53]\tTime 0.500 (0.500)\tData 0.001 (0.001)\tLoss 3.3840 "
        "(2.2378)\tPrec@1 0.1 (0.1)\n";
    const auto run = examples(old, {0, 1});
    EXPECT_EQ(run.figure.value, 256.0);
    EXPECT_EQ(run.iterations.at(0).loss, 3.384);
    EXPECT_TRUE(run.figure.findings.empty());
}

constexpr std::string_view dllLines =
    "DLL 2020-09-15 14:28:53.498443 - PARAMETER data : /data/image  data_backend : dali-cpu  arch : resnet50 "
    "\n"
    "DLL 2020-09-15 14:29:13.473765 - Epoch: 0 Iteration: 1  train.loss : 7.09304  train.total_ips : 267.44 "
    "img/s\n"
    "DLL 2020-09-15 14:29:14.427490 - Epoch: 0 Iteration: 2  train.loss : 6.93504  train.total_ips : 4294.91 "
    "img/s\n"
    "DLL 2020-09-15 14:29:18.553769 - Epoch: 0 Iteration: 12  train.loss : 6.67351  train.total_ips : "
    "10393.54 img/s\n";

std::string dllLine(int iteration, const std::string& stamp) {
    return fmt::format(
        "DLL {} - Epoch: 0 Iteration: {}  train.loss : 6.67351  train.total_ips : 1.00 img/s\n", stamp,
        iteration);
}

// Iterations 1 to last, a second apart, with a stamp of its own at one of them.
std::string dllLog(int last, int special = 0, const std::string& stamp = {}) {
    std::string log;
    for (int i = 1; i <= last; ++i) {
        log += dllLine(
            i, i == special ? stamp : fmt::format("2020-09-15 14:{:02}:{:02}.500000", i / 60, i % 60));
    }
    return log;
}

AnalyzedBytes ngc(std::string_view log, MeasurementRange window) {
    return analyzeLog("ngc-pytorch-resnet50", log, {{1, 8}, 32}, window);
}

TEST(NgcPytorch, ReadsTheLinesOfTheReadme) {
    const auto run = ngc(dllLines, {1, 2});
    ASSERT_EQ(run.iterations.size(), 1U);  // iterations up to 5 do not count
    EXPECT_EQ(run.iterations[0].number, 1);
    EXPECT_EQ(run.iterations[0].loss, 6.67351);
    EXPECT_EQ(run.iterations[0].seconds, std::nullopt);  // a duration needs two stamps
}

TEST(NgcPytorch, NeedsIteration125AtItsDefaults) {
    EXPECT_EQ(ngc(dllLog(125), {20, 120}).figure.value, 256.0);
    const auto run = ngc(dllLog(124), {20, 120});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, 0.0);
    EXPECT_EQ(run.figure.lastIteration, 119);
}

TEST(NgcPytorch, SecondsAreThoseBetweenStamps) {
    const auto run = ngc(dllLog(12), {1, 2});
    ASSERT_EQ(run.iterations.size(), 7U);
    EXPECT_EQ(run.iterations[1].seconds, 1.0);
    EXPECT_EQ(run.iterations[1].throughput, 256.0);
}

TEST(NgcPytorch, AStampWithoutFractionAtTheEdgeHasNoFigure) {
    for (const char* stamp :
         {"2020-09-15 14:00:07", "2020-09-15 14:00:07,500000", "2020-13-15 14:00:07.5", "no stamp"}) {
        const auto run = ngc(dllLog(12, 7, stamp), {2, 4});
        EXPECT_EQ(run.figure.value, std::nullopt) << stamp;
        EXPECT_NE(run.finding("unreadable-line").find("line 7"), std::string::npos) << stamp;
        EXPECT_EQ(ngc(dllLog(12, 8, stamp), {2, 4}).figure.value, 256.0)
            << stamp;  // inside it does not matter
    }
}

TEST(NgcPytorch, FractionsFillUpFromTheRight) {
    const auto run = ngc(dllLine(6, "2020-2-9 1:02:03.5") + dllLine(7, "2020-02-09 01:02:04.25"), {1, 2});
    EXPECT_EQ(run.figure.value, 341.33);  // 256 / 0.75
}

TEST(NgcPytorch, OtherIterationLinesEndTheLogBeforeTheWindowDoes) {
    const std::string validation =
        "DLL 2020-09-15 14:29:13.473765 - Epoch: 0 Iteration: 3  val.loss : 7.09304 \n";
    EXPECT_EQ(ngc(validation + dllLog(12), {1, 2}).figure.value, std::nullopt);
    EXPECT_EQ(ngc(dllLog(12) + validation, {1, 2}).figure.value, 256.0);
}

TEST(NgcPytorch, ReadsNewerLinesToo) {
    const std::string newer =
        "DLL 2022-01-01 00:00:01.500000 - Epoch: 0 Iteration: 6  train.loss : 6.67351  train.compute_ips : "
        "2.00 img/s "
        "train.total_ips : 1.00 img/s train.lr : 0.1\n";
    EXPECT_EQ(ngc(newer + dllLine(7, "2022-01-01 00:00:02.500000"), {1, 2}).figure.value, 256.0);
}

TEST(NgcPytorch, AClockThatStepsBackGivesNoSpeed) {
    const auto run = ngc(dllLine(6, "2020-09-15 14:00:07.5") + dllLine(7, "2020-09-15 14:00:05.5"), {1, 2});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, -128.0);
    EXPECT_NE(run.finding("clock-steps-back").find("-128"), std::string::npos);
    EXPECT_EQ(run.iterations.at(1).seconds, std::nullopt);
    const auto still = ngc(dllLine(6, "2020-09-15 14:00:07.5") + dllLine(7, "2020-09-15 14:00:07.5"), {1, 2});
    EXPECT_EQ(still.figure.value, std::nullopt);
    EXPECT_FALSE(still.finding("clock-steps-back").empty());
}

}  // namespace
}  // namespace dlperf::analysis
