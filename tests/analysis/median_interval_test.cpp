// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/median_interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace dlperf::analysis {
namespace {

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The share of drawn resamples whose median lies below a value, or at it.
struct Drawn {
    double below = 0;
    double upTo = 0;
};
Drawn drawn(const std::vector<double>& figures, double value) {
    constexpr int resamples = 200'000;
    std::mt19937 random(11);
    std::uniform_int_distribution<std::size_t> index(0, figures.size() - 1);
    std::vector<double> resample(figures.size());
    int below = 0;
    int upTo = 0;
    for (int i = 0; i < resamples; ++i) {
        std::generate(resample.begin(), resample.end(), [&] { return figures[index(random)]; });
        const double median = medianOf(resample);
        below += median < value ? 1 : 0;
        upTo += median <= value ? 1 : 0;
    }
    return {static_cast<double>(below) / resamples, static_cast<double>(upTo) / resamples};
}

std::vector<double> someFigures(std::size_t count) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::normal_distribution<double> figure(10000, 60);
    std::vector<double> figures(count);
    std::generate(figures.begin(), figures.end(), [&] { return figure(random); });
    return figures;
}

TEST(MedianInterval, IsWhereDrawingResamplesEnds) {
    for (const std::size_t count : {5U, 6U, 7U, 8U, 13U, 20U}) {
        const auto figures = someFigures(count);
        const auto interval = medianInterval(figures);
        ASSERT_TRUE(interval);
        constexpr double noise = 0.002;  // of 200,000 drawn resamples, over five standard deviations
        const Drawn low = drawn(figures, interval->low);
        EXPECT_LE(low.below, 0.025 + noise) << count;
        EXPECT_GE(low.upTo, 0.025 - noise) << count;
        const Drawn high = drawn(figures, interval->high);
        EXPECT_LE(high.below, 0.975 + noise) << count;
        EXPECT_GE(high.upTo, 0.975 - noise) << count;
    }
}

TEST(MedianInterval, OfSevenLeavesOutNoMoreThanTheExtremes) {
    // The median of a resample of seven is the smallest value only if four or more draws hit it: 1.0 %.
    const std::vector<double> figures{7, 1, 5, 3, 2, 6, 4};
    EXPECT_EQ(medianInterval(figures), (Interval{2, 6}));
}

TEST(MedianInterval, HoldsTheMedianAndStaysWithinTheFigures) {
    for (std::size_t count = 5; count < 90; ++count) {
        const auto figures = someFigures(count);
        const auto interval = medianInterval(figures);
        ASSERT_TRUE(interval);
        EXPECT_LE(interval->low, medianOf(figures));
        EXPECT_GE(interval->high, medianOf(figures));
        EXPECT_GE(interval->low, *std::min_element(figures.begin(), figures.end()));
        EXPECT_LE(interval->high, *std::max_element(figures.begin(), figures.end()));
        if (count > 20) {
            EXPECT_LT(interval->high - interval->low, 120);  // two standard deviations
        }
    }
}

// The middle of n draws lies within ±1.96 √n / 2 ranks of the middle: 69 of 5001.
TEST(MedianInterval, OfThousandsIsThatOfTheNormalDistribution) {
    std::vector<double> figures(5001);
    std::iota(figures.begin(), figures.end(), 1.0);
    const auto interval = medianInterval(figures);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->low, 2501 - 69.3, 1);
    EXPECT_NEAR(interval->high, 2501 + 69.3, 1);
}

TEST(MedianInterval, EqualFiguresHaveNoWidth) {
    const std::vector<double> figures(6, 12.5);
    EXPECT_EQ(medianInterval(figures), (Interval{12.5, 12.5}));
}

TEST(MedianInterval, NeedsFiveFiniteFigures) {
    EXPECT_FALSE(medianInterval({}));
    EXPECT_FALSE(medianInterval(std::vector<double>{1, 2, 3, 4}));
    EXPECT_TRUE(medianInterval(std::vector<double>{1, 2, 3, 4, 5}));
    EXPECT_FALSE(medianInterval(std::vector<double>{1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN()}));
}

// By numpy, beside the project: the medians of all n^n resamples of each side with their probabilities, their
// ratios sorted, and the 2.5th and 97.5th percentile of these.
TEST(MedianInterval, WhereThereAreFewTheyAreTheirOwnSpread) {
    EXPECT_EQ(spreadOf(std::vector{4.0, 2.0, 3.0}), (Interval{2, 4}));
    EXPECT_EQ(spreadOf(std::vector{1.0}), std::nullopt);
    EXPECT_EQ(spreadOf(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}),
              medianInterval(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}));
}

TEST(RatioInterval, ResamplesBothSides) {
    const std::vector<double> eight{2887.65, 2890.1, 2871.33, 2899.0, 2880.2};
    const std::vector<double> one{367.29, 366.1, 368.2, 365.9, 367.8};
    const auto interval = ratioInterval(eight, one);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->low, 7.817610062893081);
    EXPECT_DOUBLE_EQ(interval->high, 7.89860617655097);
}

TEST(RatioInterval, OfAnOddAndAnEvenNumber) {
    const std::vector<double> eight{2887.65, 2890.1, 2871.33, 2899.0, 2880.2, 2893.4, 2876.6};
    const std::vector<double> one{367.29, 366.1, 368.2, 365.9, 367.8, 364.4};
    const auto interval = ratioInterval(eight, one);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->low, 7.826524643240963);
    EXPECT_DOUBLE_EQ(interval->high, 7.90811995070519);
}

TEST(RatioInterval, IsThatOfTheFiguresOverASteadyBase) {
    for (const std::size_t count : {5U, 20U, 64U, 200U}) {
        const auto figures = someFigures(count);
        const auto interval = ratioInterval(figures, std::vector<double>(count, 100.0));
        ASSERT_TRUE(interval);
        EXPECT_NEAR(interval->low, medianInterval(figures)->low / 100, 0.01) << count;
        EXPECT_NEAR(interval->high, medianInterval(figures)->high / 100, 0.01) << count;
    }
}

TEST(RatioInterval, NeedsEnoughOnBothSidesAndABaseAboveZero) {
    const std::vector<double> five{1, 2, 3, 4, 5};
    EXPECT_TRUE(ratioInterval(five, five));
    EXPECT_FALSE(ratioInterval(five, std::vector<double>{1, 2, 3, 4}));
    EXPECT_FALSE(ratioInterval(std::vector<double>{1, 2, 3, 4}, five));
    EXPECT_FALSE(ratioInterval(five, std::vector<double>{0, 0, 0, 4, 5}));
}

}  // namespace
}  // namespace dlperf::analysis
