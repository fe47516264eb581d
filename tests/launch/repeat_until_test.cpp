// SPDX-License-Identifier: Apache-2.0
#include "core/launch/repeat_until.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace dlperf::launch {
namespace {

TEST(RepeatUntil, WantsAnotherUntilTheIntervalIsNarrow) {
    const RepeatUntil until{2, 9};
    std::vector<double> figures;
    for (const double figure : {100.0, 100.5, 99.8, 100.2}) {
        EXPECT_TRUE(wantsAnother(until, figures)) << "too few for an interval";
        figures.push_back(figure);
    }
    EXPECT_FALSE(intervalWidth(figures));
    figures.push_back(100.1);
    EXPECT_NEAR(intervalWidth(figures).value_or(1), 0.007, 1e-3);
    EXPECT_FALSE(wantsAnother(until, figures));
    EXPECT_TRUE(wantsAnother({0.5, 9}, figures));
    EXPECT_FALSE(wantsAnother({0.5, 5}, figures)) << "as many as there may be";
}

TEST(RepeatUntil, EndsForFiguresOfAnyKind) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        std::lognormal_distribution<double> spread(5, round / 200.0);
        std::vector<double> figures;
        while (wantsAnother({2, 30}, figures)) {
            figures.push_back(spread(random));
        }
        ASSERT_GE(figures.size(), 5U);
        ASSERT_LE(figures.size(), 30U);
        ASSERT_TRUE(figures.size() == 30U || intervalWidth(figures).value_or(1) <= 0.02);
    }
    EXPECT_FALSE(wantsAnother({2, 5}, std::vector<double>(5, 0.0))) << "no median to compare with";
}

}  // namespace
}  // namespace dlperf::launch
