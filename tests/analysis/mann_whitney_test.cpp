// SPDX-License-Identifier: Apache-2.0
// Expected figures are scipy 1.17.1's, computed beside the project: stats.mannwhitneyu(a, b, method="exact")
// and (…, method="asymptotic"), two-sided. Where figures are equal, scipy's exact method does not hold; there
// they are stats.permutation_test((a, b), U, permutation_type="independent", n_resamples=inf).
#include "core/analysis/rank_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace dlperf::analysis {
namespace {

using Figures = std::vector<double>;

TEST(RankTest, CountsAllArrangementsOfFewFigures) {
    const Figures pytorch{348.62, 349.1, 347.9, 350.2, 346.8};
    const Figures paddle{352.72, 353.3, 349.8, 354.1, 351.2, 355.0, 350.9};
    const auto test = mannWhitney(pytorch, paddle);
    ASSERT_TRUE(test);
    EXPECT_TRUE(test->exact);
    EXPECT_EQ(test->u, 1.0);
    EXPECT_NEAR(test->p, 0.005050505050505051, 1e-15);
    EXPECT_NEAR(mannWhitney(paddle, pytorch)->p, test->p, 1e-15);
    const auto alike = mannWhitney(Figures{10, 12, 14, 16, 18, 20, 22}, Figures{11, 13, 15, 17, 19, 21, 23});
    EXPECT_EQ(alike->u, 21.0);
    EXPECT_NEAR(alike->p, 0.7103729603729605, 1e-14);
}

TEST(RankTest, CountsEqualFiguresByTheirMeanRanks) {
    const auto test = mannWhitney(Figures{10, 11, 11, 12, 13}, Figures{11, 12, 12, 14, 15, 15});
    EXPECT_EQ(test->u, 6.0);
    EXPECT_NEAR(test->p, 0.12121212121212122, 1e-15);
    EXPECT_NEAR(mannWhitney(Figures{1, 1, 2, 2}, Figures{2, 2, 3, 3, 3})->p, 0.09523809523809523, 1e-15);
    EXPECT_EQ(mannWhitney(Figures(7, 5.0), Figures(6, 5.0))->p, 1.0);
}

// a = [100 + (k * 7 % 30) * s for k in range(30)], b = [c + (k * 11 % 25) * t for k in range(25)]
Figures stepped(int count, double from, int stride, double step) {
    Figures figures;
    for (int k = 0; k < count; ++k) {
        figures.push_back(from + k * stride % count * step);
    }
    return figures;
}

TEST(RankTest, ApproximatesBeyondWithCorrectionsForTiesAndContinuity) {
    const auto tied = mannWhitney(stepped(30, 100, 7, 0.5), stepped(25, 103, 11, 0.5));
    EXPECT_FALSE(tied->exact);
    EXPECT_EQ(tied->u, 288.0);
    EXPECT_NEAR(tied->p, 0.14353573809364073, 1e-13);
    EXPECT_NEAR(mannWhitney(stepped(30, 100, 7, 0.37), stepped(25, 101.01, 11, 0.41))->p, 0.5206597056570129,
                1e-13);
    EXPECT_EQ(mannWhitney(Figures(30, 1.0), Figures(30, 1.0))->p, 1.0);
}

TEST(RankTest, BothWaysMeetWhereOneEndsAndTheOtherBegins) {
    const Figures twenty = stepped(20, 100, 7, 1);
    const auto exact = mannWhitney(twenty, stepped(20, 104.5, 7, 1));
    const auto approximate = mannWhitney(twenty, stepped(21, 104.5, 8, 1));
    EXPECT_TRUE(exact->exact);
    EXPECT_FALSE(approximate->exact);
    EXPECT_NEAR(exact->p, approximate->p, 0.02);
}

TEST(RankTest, HasNothingToSayOfNothing) {
    EXPECT_FALSE(mannWhitney({}, Figures{1}));
    EXPECT_FALSE(mannWhitney(Figures{1}, {}));
    EXPECT_FALSE(mannWhitney(Figures{1}, Figures{std::numeric_limits<double>::quiet_NaN()}));
}

TEST(Verdict, NeedsEnoughFigures) {
    EXPECT_EQ(verdictOf(Figures{1, 2, 3}, Figures{4, 5, 6}), Verdict::TooFew);           // p = 0.1 at best
    EXPECT_EQ(verdictOf(Figures{1, 2, 3, 4}, Figures{5, 6, 7, 8}), Verdict::Different);  // 0.0286
    EXPECT_EQ(verdictOf(Figures{1, 2, 3, 5}, Figures{4, 6, 7, 8}), Verdict::Alike);      // 0.0571
    EXPECT_EQ(verdictOf(Figures{1}, Figures{2}), Verdict::TooFew);
    EXPECT_EQ(verdictOf({}, Figures{1, 2, 3, 4, 5}), Verdict::Unknown);
}

}  // namespace
}  // namespace dlperf::analysis
