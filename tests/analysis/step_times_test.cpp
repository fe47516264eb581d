// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/step_times.h"

#include <gtest/gtest.h>

#include <string>

namespace dlperf::analysis {
namespace {

const std::string wholeLog =
    "iteration 120 epoch 0 loss 1.0 time 0.5 s data 0.1 s comm 0.1 s throughput 16.00 images/s\n"
    "# ranks: means of iterations 21 to 120\n"
    "# rank 0: compute 0.300000 s data 0.100000 s comm 0.100000 s\n"
    "# rank 1: compute 0.350000 s data 0.000000 s comm 0.150000 s\n"
    "# exchange: 0.080000 s\n";

TEST(StepTimes, AreReadBelowTheIterations) {
    const auto times = stepTimesIn(wholeLog, {20, 120});
    ASSERT_TRUE(times);
    ASSERT_EQ(times->ranks.size(), 2U);
    EXPECT_EQ(times->ranks[1], (RankTimes{0.35, 0, 0.15}));
    EXPECT_EQ(times->exchange, 0.08);
}

TEST(StepTimes, AreReadWhereLinesEndAsOnWindows) {
    std::string log;
    for (const char c : wholeLog) {
        log += c == '\n' ? "\r\n" : std::string(1, c);
    }
    const auto times = stepTimesIn(log, {20, 120});
    ASSERT_TRUE(times);
    EXPECT_EQ(times->ranks.size(), 2U);
}

TEST(StepTimes, OfOtherIterationsDoNotCount) {
    EXPECT_FALSE(stepTimesIn(wholeLog, {10, 120}));
    EXPECT_FALSE(stepTimesIn(wholeLog, {20, 100}));
    EXPECT_FALSE(stepTimesIn("", {20, 120}));
}

TEST(StepTimes, TornOrOddOnesDoNotCount) {
    for (std::size_t length = 0; length + 1 < wholeLog.size(); ++length) {
        const auto times = stepTimesIn(wholeLog.substr(0, length), {20, 120});
        EXPECT_TRUE(!times || times->ranks.size() == 2) << length;
    }
    const auto with = [](const std::string& rank) {
        return "# ranks: means of iterations 21 to 120\n# rank 0: " + rank + "\n# exchange: 0.1 s\n";
    };
    EXPECT_TRUE(stepTimesIn(with("compute 1 s data 0 s comm 0 s"), {20, 120}));
    for (const char* odd : {"compute x s data 0 s comm 0 s", "compute -1 s data 0 s comm 0 s", "compute 1 s",
                            "compute inf s data 0 s comm 0 s", "compute nan s data 0 s comm 0 s", ""}) {
        EXPECT_FALSE(stepTimesIn(with(odd), {20, 120})) << odd;
    }
}

}  // namespace
}  // namespace dlperf::analysis
