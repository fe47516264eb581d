// SPDX-License-Identifier: Apache-2.0
// Roundings and folds, to the last bit.
#include "core/analysis/summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "core/analysis/format_row.h"
#include "core/analysis/json_table.h"

namespace dlperf::analysis {
namespace {

TEST(Rounded, TheTwoRulesDiffer) {
    EXPECT_EQ(rounded(1.115, 2, Rounding::Python), 1.11);
    EXPECT_EQ(rounded(1.115, 2, Rounding::Numpy), 1.12);
}

TEST(Rounded, TiesGoToEven) {
    EXPECT_EQ(rounded(0.125, 2, Rounding::Python), 0.12);
    EXPECT_EQ(rounded(0.375, 2, Rounding::Python), 0.38);
    EXPECT_EQ(rounded(0.125, 2, Rounding::Numpy), 0.12);
    EXPECT_EQ(rounded(-0.375, 2, Rounding::Numpy), -0.38);
    EXPECT_EQ(rounded(2.5, 0, Rounding::Python), 2.0);
}

TEST(Rounded, LeavesAloneWhatHasNoDigitsToRound) {
    for (const Rounding rule : {Rounding::Python, Rounding::Numpy}) {
        EXPECT_TRUE(std::isnan(rounded(std::nan(""), 2, rule)));
        EXPECT_EQ(rounded(std::numeric_limits<double>::infinity(), 2, rule),
                  std::numeric_limits<double>::infinity());
        EXPECT_EQ(rounded(0.0, 2, rule), 0.0);
    }
    EXPECT_EQ(rounded(1e300, 2, Rounding::Python), 1e300);
    EXPECT_EQ(rounded(9007199254740991.0, 2, Rounding::Python), 9007199254740991.0);
}

double printedAndRead(double value, int decimals) {
    return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr);
}

// Random numbers, and those next to where the rule turns.
TEST(Rounded, PythonsRuleIsThatOfPrintedDecimals) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> exponent(-6, 14);
    for (int i = 0; i < 200'000; ++i) {
        const int decimals = static_cast<int>(random() % 7);
        const double any = std::pow(10.0, exponent(random)) * (i % 2 == 0 ? 1 : -1);
        const double scale = std::pow(10.0, decimals);
        const double half = (std::floor(any * scale) + 0.5) / scale;
        for (const double value : {any, half, std::nextafter(half, 0), std::nextafter(half, 1e300)}) {
            const double expected = printedAndRead(value, decimals);
            ASSERT_EQ(rounded(value, decimals, Rounding::Python), expected) << value << " " << decimals;
            ASSERT_EQ(std::signbit(rounded(value, decimals, Rounding::Python)), std::signbit(expected));
        }
    }
}

// 1/(i+1) + i/1000, with numpy 1.24's mean of the first n.
TEST(NumpyMean, AgreesToTheLastBit) {
    const std::pair<std::size_t, double> expected[] = {
        {7, 0.3734081632653062},    {8, 0.3432321428571429},    {9, 0.3183298059964727},
        {127, 0.10571917002038721}, {128, 0.10594646166085292}, {129, 0.10617751186491217},
        {300, 0.17044221293433168},
    };
    const auto fill = [](std::size_t from, std::span<double> values) {
        auto i = static_cast<double>(from);
        for (double& value : values) {
            value = 1.0 / (i + 1) + i * 1e-3;
            ++i;
        }
    };
    for (const auto& [count, mean] : expected) {
        EXPECT_EQ(numpyMean(count, fill), mean) << count;
    }
    EXPECT_TRUE(std::isnan(numpyMean(0, fill)));
}

TEST(Fold, TheRulesAreToldApartByPublishedRuns) {
    // PaddlePaddle, 1n4g: printed as 1358.64.
    const std::vector<double> runs{1353.06, 1354.14, 1361.98, 1363.45, 1357.79, 1359.48};
    FoldRule rule;
    EXPECT_EQ(fold(runs, rule).median, 1358.64);
    rule.median = Rounding::Python;
    EXPECT_EQ(fold(runs, rule).median, 1358.63);
}

TEST(Fold, KnowsItsSpread) {
    const Fold folded = fold(std::vector<double>{3, 1, 2}, FoldRule{});
    EXPECT_EQ(folded.average, 2.0);
    EXPECT_EQ(folded.median, 2.0);
    EXPECT_EQ(folded.minimum, 1.0);
    EXPECT_EQ(folded.maximum, 3.0);
    EXPECT_EQ(folded.count, 3);
}

TEST(Fold, OfNothingIsNothing) {
    const Fold nothing = fold({}, FoldRule{});
    EXPECT_EQ(nothing.average, std::nullopt);
    EXPECT_EQ(nothing.median, std::nullopt);
    EXPECT_EQ(nothing.count, 0);
    EXPECT_EQ(speedup(nothing, nothing, FoldRule{}), std::nullopt);
}

TEST(Fold, NotANumberSpreads) {
    const Fold folded = fold(std::vector<double>{1, std::nan(""), 3}, FoldRule{});
    EXPECT_TRUE(std::isnan(folded.average.value()));
    EXPECT_TRUE(std::isnan(folded.median.value()));
}

TEST(Fold, UnroundedUntilOutput) {
    FoldRule rule;
    rule.roundOnlyOnOutput = true;
    EXPECT_EQ(fold(std::vector<double>{1.23456}, rule).median, 1.23456);
    const Fold two = fold(std::vector<double>{2.0}, rule);
    const Fold three = fold(std::vector<double>{3.0}, rule);
    EXPECT_EQ(speedup(two, three, rule), 2.0 / 3.0);
}

TEST(Speedup, IsOverTheRoundedMedians) {
    const FoldRule rule;
    const Fold base = fold(std::vector<double>{354.44}, rule);
    EXPECT_EQ(speedup(fold(std::vector<double>{8781.78}, rule), base, rule), 24.78);
    EXPECT_EQ(speedup(base, base, rule), 1.0);
    EXPECT_EQ(speedup(base, fold(std::vector<double>{0.001}, rule), rule), std::nullopt);  // a median of 0.0
    EXPECT_EQ(speedup(base, {}, rule), std::nullopt);
}

TEST(Efficiency, IsSpeedupOverDevices) {
    EXPECT_EQ(scalingEfficiency(31.2, 32), 0.975);
    EXPECT_EQ(scalingEfficiency(std::nullopt, 32), std::nullopt);
    EXPECT_EQ(scalingEfficiency(1.0, 0), std::nullopt);
}

TEST(Formats, HaveTheirFamiliesRoundings) {
    EXPECT_EQ(findFormat("pytorch-examples")->fold.median, Rounding::Python);
    EXPECT_EQ(findFormat("paddle-resnet50")->fold.average, Rounding::Numpy);
    EXPECT_EQ(findFormat("paddle-resnet50-time")->fold.average, Rounding::Python);
    EXPECT_EQ(findFormat("dlperf-worker")->fold.median, Rounding::Numpy);
    EXPECT_EQ(findFormat("no-such-format"), nullptr);
}

TEST(PythonNumber, IsTheShortestThatReadsBack) {
    const std::pair<double, const char*> expected[] = {
        {353.1, "353.1"},       {1.0, "1.0"},       {0.0, "0.0"},          {-0.0, "-0.0"},
        {100000.0, "100000.0"}, {0.1, "0.1"},       {1e16, "1e+16"},       {1e15, "1000000000000000.0"},
        {0.0001, "0.0001"},     {0.00001, "1e-05"}, {1.5e300, "1.5e+300"}, {2.0 / 3.0, "0.6666666666666666"},
        {12411.97, "12411.97"}};
    for (const auto& [value, text] : expected) {
        EXPECT_EQ(pythonNumber(value), text);
    }
    EXPECT_EQ(pythonNumber(std::nan("")), "NaN");
    EXPECT_EQ(pythonNumber(-std::numeric_limits<double>::infinity()), "-Infinity");
}

}  // namespace
}  // namespace dlperf::analysis
