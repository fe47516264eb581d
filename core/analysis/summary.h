// SPDX-License-Identifier: Apache-2.0
// From run figures to what DLPerf quotes: average, median, speedup, under the two roundings of its
// extractors: P = Python's, the correctly rounded decimal; N = numpy's, rint(x * 100) / 100, half to even.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace dlperf::analysis {

enum class Rounding { Python, Numpy };

// The decimal places are 0 to 15. NaN and infinities stay what they are.
[[nodiscard]] double rounded(double value, int decimals, Rounding rounding);

// How one family of extractors folds repetitions: all add them in plain order.
struct FoldRule {
    Rounding average = Rounding::Numpy;
    int averageDecimals = 2;
    Rounding median = Rounding::Numpy;
    int medianDecimals = 2;
    Rounding speedup = Rounding::Numpy;
    bool roundOnlyOnOutput = false;  // OneFlow's tables fold unrounded: see printed()
};

// Where nobody says how: times are quoted with one decimal more.
[[nodiscard]] FoldRule foldRuleOf(const std::string& unit);

struct Fold {
    std::optional<double> average;
    std::optional<double> median;
    std::optional<double> minimum;
    std::optional<double> maximum;
    int count = 0;
};

// The figures of one case in file order (repetition order); empty gives a fold of nothings.
[[nodiscard]] Fold fold(std::span<const double> figures, const FoldRule& rule);

// Median over the 1n1g median of the same series, both as the rule rounds them; nothing without a base or
// over zero.
[[nodiscard]] std::optional<double> speedup(const Fold& fold, const Fold& base, const FoldRule& rule);

// A figure of a fold, or a speedup, as DLPerf prints it: what the rule folds unrounded is rounded here (P).
[[nodiscard]] std::optional<double> printed(std::optional<double> figure, const FoldRule& rule,
                                            int decimals = 2);

// Speedup over devices, unrounded: 0.975 means 97.5 %.
[[nodiscard]] std::optional<double> scalingEfficiency(std::optional<double> speedup, int devices);

// NaN if any value is: it has no place in an order. Not for an empty list.
[[nodiscard]] double medianOf(std::span<const double> values);

// numpy's mean to the last bit: its pairwise sum over the count. NaN for an empty list, as numpy has it.
// `fill` writes the values from the given one on.
using FillValues = std::function<void(std::size_t from, std::span<double> values)>;
[[nodiscard]] double numpyMean(std::size_t count, const FillValues& fill);

}  // namespace dlperf::analysis
