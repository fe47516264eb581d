// SPDX-License-Identifier: Apache-2.0
// Trainers that DLPerf did not know.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

// The printed speed is that of one device; its time of a batch counts for all.
TEST(Today, PaddleClasIsMeasuredByItsTimeOfABatch) {
    std::string log;
    for (int iteration = 0; iteration <= 130; iteration += 10) {
        log += fmt::format(
            "[2022/11/27 17:38:08] ppcls INFO: [Train][Epoch 1/10][Iter: {}/500]lr(Cosine): 0.01, loss: 6.9, "
            "batch_cost: {}s, reader_cost: 0.01, ips: 256.0 samples/s, eta: 0:01:02\n",
            iteration, iteration <= 20 ? "9.00000" : "0.50000");
    }
    log +=
        "[2022/11/27 17:39:08] ppcls INFO: [Eval][Epoch 1][Iter: 0/3]loss: 6.9, batch_cost: 3.2s, ips: "
        "19.4\n";
    const auto run = analyzeLog("paddleclas", log, {{2, 8}, 64}, {20, 120});
    EXPECT_EQ(run.figure.value, 2048.0);
    EXPECT_EQ(run.iterations.size(), 14U);
    EXPECT_EQ(run.iterations.at(3).number, 30);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(Today, MlperfsThroughputsAreAveraged) {
    const auto line = [](double speed) {
        return fmt::format(
            " 0: :::MLLOG {{\"namespace\": \"\", \"time_ms\": 17, \"event_type\": \"POINT_IN_TIME\", "
            "\"key\": \"tracked_stats\", \"value\": {{\"throughput\": {}}}, \"metadata\": {{}}}}\n",
            speed);
    };
    const std::string other =
        ":::MLLOG {\"key\": \"tracked_stats\", \"value\": {\"train_epoch_timing\": 234.9}}\n";
    const std::string log = line(1.5) + other + line(2.5) + line(4.25);
    EXPECT_EQ(analyzeLog("mlperf", log, {{1, 8}, 1}, {0, 1}).figure.value, 2.75);
    EXPECT_EQ(analyzeLog("mlperf", log, {{1, 8}, 1}, {1, 2}).figure.value, 3.38);  // 3.375, half to even
}

}  // namespace
}  // namespace dlperf::analysis
