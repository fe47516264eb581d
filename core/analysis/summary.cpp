// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "core/model/case.h"

namespace dlperf::analysis {
namespace {

constexpr std::size_t lanes = 8;

// Up to 128 values: plain below 8, else 8 running sums.
double blockSum(std::span<const double> values) {
    if (values.size() < lanes) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    }
    double r[lanes];
    std::copy_n(values.begin(), lanes, r);
    const std::size_t whole = values.size() - values.size() % lanes;
    for (std::size_t i = lanes; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            r[lane] += values[i + lane];
        }
    }
    const double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), sum);
}

// numpy's pairwise summation: halves down to blocks.
double pairwiseSum(std::size_t from, std::size_t count, const FillValues& fill) {
    constexpr std::size_t blockSize = 128;
    if (count > blockSize) {
        std::size_t half = count / 2;
        half -= half % lanes;
        return pairwiseSum(from, half, fill) + pairwiseSum(from + half, count - half, fill);
    }
    std::array<double, blockSize> block{};
    const auto values = std::span(block).first(count);
    fill(from, values);
    return blockSum(values);
}

double plainMean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double medianOf(std::span<const double> values) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double numpyMean(std::size_t count, const FillValues& fill) {
    if (count == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return pairwiseSum(0, count, fill) / static_cast<double>(count);
}

FoldRule foldRuleOf(const std::string& unit) {
    FoldRule rule;
    if (lowerIsBetter(unit)) {
        rule.averageDecimals = rule.medianDecimals = 3;
    }
    return rule;
}

Fold fold(std::span<const double> figures, const FoldRule& rule) {
    Fold result;
    if (figures.empty()) {
        return result;
    }
    result.count = static_cast<int>(figures.size());
    result.average = plainMean(figures);
    result.median = medianOf(figures);
    if (!rule.roundOnlyOnOutput) {
        result.average = rounded(*result.average, rule.averageDecimals, rule.average);
        result.median = rounded(*result.median, rule.medianDecimals, rule.median);
    }
    const auto [lowest, highest] = std::minmax_element(figures.begin(), figures.end());
    result.minimum = *lowest;
    result.maximum = *highest;
    return result;
}

std::optional<double> speedup(const Fold& fold, const Fold& base, const FoldRule& rule) {
    if (!fold.median || !base.median || *base.median == 0) {
        return std::nullopt;
    }
    const double ratio = *fold.median / *base.median;
    return rule.roundOnlyOnOutput ? ratio : rounded(ratio, 2, rule.speedup);
}

std::optional<double> printed(std::optional<double> figure, const FoldRule& rule, int decimals) {
    return figure && rule.roundOnlyOnOutput ? rounded(*figure, decimals, Rounding::Python) : figure;
}

std::optional<double> scalingEfficiency(std::optional<double> speedup, int devices) {
    if (!speedup || devices < 1) {
        return std::nullopt;
    }
    return *speedup / devices;
}

}  // namespace dlperf::analysis
