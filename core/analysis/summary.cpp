// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace dlperf::analysis {
namespace {

// numpy's pairwise summation: plain below 8 values, 8 running sums up to 128, halves above.
double pairwiseSum(std::span<const double> values) {
    constexpr std::size_t lanes = 8;
    constexpr std::size_t blockSize = 128;
    if (values.size() < lanes) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    }
    if (values.size() > blockSize) {
        std::size_t half = values.size() / 2;
        half -= half % lanes;
        return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
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

double plainMean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// NaN if any value is: it has no place in an order.
double median(std::span<const double> values) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace

double numpyMean(std::span<const double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    return pairwiseSum(values) / static_cast<double>(values.size());
}

Fold fold(std::span<const double> figures, const FoldRule& rule) {
    Fold result;
    if (figures.empty()) return result;
    result.count = static_cast<int>(figures.size());
    result.average = plainMean(figures);
    result.median = median(figures);
    if (!rule.roundOnlyOnOutput) {
        result.average = rounded(*result.average, rule.averageDecimals, rule.average);
        result.median = rounded(*result.median, 2, rule.median);
    }
    const auto [lowest, highest] = std::minmax_element(figures.begin(), figures.end());
    result.minimum = *lowest;
    result.maximum = *highest;
    return result;
}

std::optional<double> speedup(const Fold& fold, const Fold& base, const FoldRule& rule) {
    if (!fold.median || !base.median || *base.median == 0) return std::nullopt;
    const double ratio = *fold.median / *base.median;
    return rule.roundOnlyOnOutput ? ratio : rounded(ratio, 2, rule.speedup);
}

std::optional<double> printed(std::optional<double> figure, const FoldRule& rule) {
    return figure && rule.roundOnlyOnOutput ? rounded(*figure, 2, Rounding::Python) : figure;
}

std::optional<double> scalingEfficiency(std::optional<double> speedup, int devices) {
    if (!speedup || devices < 1) return std::nullopt;
    return *speedup / devices;
}

}  // namespace dlperf::analysis
