// SPDX-License-Identifier: Apache-2.0
// Logs of dlperf-worker: bytes in, iterations and the figure out, as they grow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

const std::string workerHeader =
    "# dlperf-worker 0.1.0\n# backend: cpu\n# precision: fp32\n# batch_size: 8\n# world_size: 2\n# "
    "image_size: 224\n";

std::string line(int number, double seconds) {
    return fmt::format(
        "iteration {} epoch 0 loss 6.9312 time {:.6f} s data 0.000210 s comm 0.044000 s throughput {:.2f} "
        "images/s\n",
        number, seconds, 16 / seconds);
}

std::string lines(int from, int to, double seconds = 0.5) {
    std::string log;
    for (int i = from; i <= to; ++i) {
        log += line(i, seconds);
    }
    return log;
}

AnalyzedBytes worker(std::string_view log, MeasurementRange window = {20, 120},
                     RunShape shape = {{1, 2}, 8}) {
    return analyzeLog("dlperf-worker", log, shape, window);
}

TEST(WorkerLog, GivesIterationsAndTheFigure) {
    const auto run = worker(workerHeader + lines(1, 120));
    ASSERT_EQ(run.iterations.size(), 120U);
    EXPECT_EQ(run.iterations[20].number, 21);
    EXPECT_EQ(run.iterations[20].line, 27);
    EXPECT_EQ(run.iterations[20].seconds, 0.5);
    EXPECT_EQ(run.iterations[20].throughput, 32.0);
    EXPECT_EQ(run.iterations[20].loss, 6.9312);
    EXPECT_EQ(run.iterations[20].dataSeconds, 0.00021);
    EXPECT_TRUE(run.reached);
    EXPECT_EQ(run.figure.value, 32.0);
    EXPECT_EQ(run.figure.header.at("precision"), "fp32");
    EXPECT_EQ(run.figure.headerShape, (RunShape{{1, 2}, 8}));
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(WorkerLog, IsMeasuredWhenItsLastIterationIsThere) {
    int iterations = 0;
    LogAnalyzer analyzer(*findFormat("dlperf-worker"), {{1, 2}, 8}, {2, 4},
                         [&](const Iteration&) { ++iterations; });
    analyzer.feed(workerHeader + lines(1, 3) + "iteration 4 epoch 0 loss 6.9 time 0.5");
    EXPECT_FALSE(analyzer.rangeReached());
    EXPECT_EQ(analyzer.figure().value, std::nullopt);
    EXPECT_TRUE(analyzer.figure().findings.empty());  // it is not short yet, only not there
    EXPECT_EQ(iterations, 3);
    analyzer.feed("00000 s data 0.0 s comm 0.0 s throughput 32.00 images/s\n");
    EXPECT_TRUE(analyzer.rangeReached());
    EXPECT_EQ(analyzer.figure().value, 32.0);
    analyzer.finish();
    analyzer.finish();
    analyzer.feed(lines(5, 9));  // nothing follows an end
    EXPECT_EQ(iterations, 4);
}

TEST(WorkerLog, ShortOfItsWindowHasNoFigure) {
    const auto run = worker(workerHeader + lines(1, 119));
    EXPECT_FALSE(run.reached);
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, std::nullopt);  // DLPerf has no extractor for it
    EXPECT_EQ(run.figure.lastIteration, 119);
    EXPECT_FALSE(run.finding("short-window").empty());
}

TEST(WorkerLog, TheHeaderCountsOverThePath) {
    const auto run = worker(workerHeader + lines(1, 4), {2, 4}, {{2, 2}, 16});
    EXPECT_EQ(run.figure.value, 32.0);
    EXPECT_NE(run.finding("header-contradicts").find("2n2g"), std::string::npos);
    EXPECT_EQ(worker(lines(1, 4), {2, 4}).figure.value, 32.0);  // without a header the path counts
    EXPECT_EQ(worker(workerHeader + lines(1, 4), {2, 4}, {{2, 1}, 8}).figure.headerShape,
              (RunShape{{2, 1}, 8}));
}

TEST(WorkerLog, AMissingIterationHasNoFigure) {
    const auto run = worker(workerHeader + lines(1, 2) + lines(4, 9), {1, 5});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_NE(run.finding("odd-line").find("3 is missing"), std::string::npos);
}

TEST(WorkerLog, ARestartCountsAnewUntilTheWindowIsWhole) {
    const auto run = worker(workerHeader + lines(1, 3, 9.0) + lines(1, 6), {1, 5});
    EXPECT_EQ(run.figure.value, 32.0);
    EXPECT_NE(run.finding("odd-line").find("counts anew"), std::string::npos);
    const auto twice = worker(workerHeader + lines(1, 6) + lines(1, 6, 9.0), {1, 5});
    EXPECT_EQ(twice.figure.value, 32.0);
    EXPECT_TRUE(twice.figure.findings.empty());
}

TEST(WorkerLog, UnreadableTimesAreNotedAndSkipped) {
    for (const char* bad : {"nan", "inf", "x", ""}) {
        const auto run = worker(workerHeader + lines(1, 2) + "iteration 3 epoch 0 loss 6.9 time " + bad +
                                    " s data\n" + lines(4, 6),
                                {1, 5});
        EXPECT_EQ(run.figure.value, std::nullopt) << bad;
        EXPECT_FALSE(run.finding("odd-line").empty()) << bad;
    }
}

TEST(WorkerLog, DurationsOfNothingGiveNoSpeed) {
    const auto run = worker(workerHeader + lines(1, 2) + lines(3, 4, 1e-9), {2, 4});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_FALSE(run.finding("no-time").empty());
}

TEST(WorkerLog, AnImpossibleWindowHasNoFigure) {
    for (const MeasurementRange window :
         {MeasurementRange{5, 5}, MeasurementRange{5, 4}, MeasurementRange{0, 0}}) {
        const auto run = worker(workerHeader + lines(1, 9), window);
        EXPECT_FALSE(run.reached);
        EXPECT_EQ(run.figure.value, std::nullopt);
    }
}

}  // namespace
}  // namespace dlperf::analysis
