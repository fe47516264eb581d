// SPDX-License-Identifier: Apache-2.0
// Deviations are numpy's, computed beside the project: 1.4826 * median(abs(x - median(x))) / median(x).
#include "core/analysis/robust.h"

#include <gtest/gtest.h>

#include <limits>

namespace dlperf::analysis {
namespace {

using Figures = std::vector<double>;

TEST(Robust, OneWildFigureDoesNotMoveTheDeviation) {
    const Figures figures{5602.1, 5610.5, 5588.7, 5601.9, 5120.0, 5605.4};
    EXPECT_NEAR(*robustDeviation(figures), 0.0015747001071045573, 1e-15);
    EXPECT_EQ(outliersOf(figures), (std::vector<std::size_t>{4}));
}

// PyTorch examples with DALI, 2n8g, as its readme prints it: the first is 8 % below.
TEST(Robust, FindsThePublishedOutlier) {
    const Figures figures{4038.81, 4484.64, 4347.27, 4401.46, 4372.33};
    EXPECT_EQ(outliersOf(figures), (std::vector<std::size_t>{0}));
}

TEST(Robust, HarmlessFiguresAreNoOutliers) {
    EXPECT_TRUE(outliersOf(Figures{100, 100, 100, 100, 101.9}).empty());  // no deviation, but within 2 %
    EXPECT_EQ(outliersOf(Figures{100, 100, 100, 100, 102.1}).size(), 1U);
    EXPECT_TRUE(outliersOf(Figures{90, 95, 100, 105, 110}).empty());  // wide, yet nobody is alone
    EXPECT_TRUE(outliersOf(Figures{100, 100, 100, 10}).empty());      // four are too few
}

TEST(Robust, WithoutAMiddleThereIsNoDeviation) {
    EXPECT_FALSE(robustDeviation(Figures{5}));
    EXPECT_FALSE(robustDeviation(Figures{0, 0, 0}));
    EXPECT_FALSE(robustDeviation(Figures{1, 2, std::numeric_limits<double>::infinity()}));
    EXPECT_EQ(robustDeviation(Figures{2, 2, 2}), 0.0);
}

}  // namespace
}  // namespace dlperf::analysis
