// SPDX-License-Identifier: Apache-2.0
// The thin thread: bytes of dlperf-worker's log in, iterations and the figure out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/log_analyzer.h"

namespace dlperf::analysis {
namespace {

std::string workerLog(int iterations) {
    std::string log =
        "# dlperf-worker 0.1.0\n# backend: cpu\n# precision: fp32\n# batch_size: 8\n# world_size: 2\n";
    for (int i = 1; i <= iterations; ++i) {
        log += fmt::format(
            "iteration {} epoch 0 loss 6.9312 time 0.500000 s data 0.000210 s comm 0.044000 s throughput "
            "32.00 "
            "images/s\n",
            i);
    }
    return log;
}

LogAnalyzer analyzed(const std::string& log, RunShape shape) {
    LogAnalyzer analyzer(*findFormat("dlperf-worker"), shape, {20, 120});
    analyzer.feed(log);
    analyzer.finish();
    return analyzer;
}

TEST(WorkerLog, GivesIterationsAndTheFigure) {
    LogAnalyzer analyzer = analyzed(workerLog(120), {{1, 2}, 8});
    const auto iterations = analyzer.takeIterations();
    ASSERT_EQ(iterations.size(), 120U);
    EXPECT_EQ(iterations[20].number, 21);
    EXPECT_EQ(iterations[20].line, 26);
    EXPECT_EQ(iterations[20].seconds, 0.5);
    EXPECT_EQ(iterations[20].throughput, 32.0);
    EXPECT_EQ(iterations[20].loss, 6.9312);
    EXPECT_EQ(iterations[20].dataSeconds, 0.00021);
    EXPECT_TRUE(analyzer.takeIterations().empty());
    EXPECT_TRUE(analyzer.windowReached());
    EXPECT_EQ(analyzer.figure().value, 32.0);
    EXPECT_EQ(analyzer.figure().header.at("precision"), "fp32");
    EXPECT_TRUE(analyzer.figure().findings.empty());
}

TEST(WorkerLog, ShortOfItsWindowHasNoFigure) {
    const LogAnalyzer analyzer = analyzed(workerLog(119), {{1, 2}, 8});
    EXPECT_FALSE(analyzer.windowReached());
    const RunFigure figure = analyzer.figure();
    EXPECT_EQ(figure.value, std::nullopt);
    EXPECT_EQ(figure.lastIteration, 119);
    ASSERT_EQ(figure.findings.size(), 1U);
    EXPECT_EQ(figure.findings[0].kind, "short-window");
}

}  // namespace
}  // namespace dlperf::analysis
