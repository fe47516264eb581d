// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/slower.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace dlperf::analysis {
namespace {

using Figures = std::vector<double>;

const Figures even{1.00, 1.01, 0.99, 1.005, 0.995};

Figures longer(double factor) {
    Figures figures = even;
    for (double& figure : figures) {
        figure *= factor;
    }
    return figures;
}

// Five on five that do not overlap: p is 2 of 252 arrangements.
TEST(Slower, ByATestThatCountsAllTries) {
    const auto slower = slowerThan(longer(1.05), even, 4);
    ASSERT_TRUE(slower);
    EXPECT_NEAR(slower->by, 0.05, 1e-9);
    EXPECT_NEAR(slower->p.value(), 4 * 2.0 / 252, 1e-9);
    EXPECT_FALSE(slowerThan(longer(1.019), even, 1)) << "less than 2 % is nothing";
    EXPECT_FALSE(slowerThan(even, even, 1));
    EXPECT_FALSE(slowerThan(longer(0.9), even, 1)) << "it is faster";
}

TEST(Slower, ByFarWhereRepetitionsAreTooFew) {
    EXPECT_FALSE(slowerThan(longer(1.05), even, 7)) << "7 x 2 / 252 is above 0.05";
    const auto slower = slowerThan(longer(1.2), even, 7);
    ASSERT_TRUE(slower);
    EXPECT_FALSE(slower->p);
    EXPECT_NEAR(slower->by, 0.2, 1e-9);
    EXPECT_TRUE(slowerThan(Figures{1.11}, Figures{1}, 2));
    EXPECT_FALSE(slowerThan(Figures{1.5, 1.5, 1.09}, Figures{1, 1, 1}, 2)) << "once it was not";
}

TEST(Slower, NothingIsSaidOfNothing) {
    EXPECT_FALSE(slowerThan(Figures{}, Figures{}, 3));
    EXPECT_FALSE(slowerThan(Figures{std::numeric_limits<double>::infinity()}, Figures{1}, 3));
}

}  // namespace
}  // namespace dlperf::analysis
