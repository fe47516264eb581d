// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/robust.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/summary.h"

namespace dlperf::analysis {
namespace {

constexpr double asStandardDeviation = 1.4826;  // one over the third quartile of the normal distribution
constexpr double outlying = 3.5;
constexpr double leastOff = 0.02;

struct Centre {
    double median = 0;
    double deviation = 0;  // the median absolute one
};

std::optional<Centre> centreOf(std::span<const double> figures) {
    const bool finite =
        std::all_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
    if (figures.size() < 2 || !finite) {
        return std::nullopt;
    }
    constexpr FoldRule unrounded{.roundOnlyOnOutput = true};
    const double median = *fold(figures, unrounded).median;
    std::vector<double> off;
    std::transform(figures.begin(), figures.end(), std::back_inserter(off),
                   [&](double figure) { return std::abs(figure - median); });
    return median > 0 ? std::optional(Centre{median, *fold(off, unrounded).median}) : std::nullopt;
}

}  // namespace

std::optional<double> robustDeviation(std::span<const double> figures) {
    const auto centre = centreOf(figures);
    return centre ? std::optional(asStandardDeviation * centre->deviation / centre->median) : std::nullopt;
}

std::vector<std::size_t> outliersOf(std::span<const double> figures) {
    std::vector<std::size_t> places;
    const auto centre = centreOf(figures);
    if (!centre || figures.size() < fewestForOutliers) {
        return places;
    }
    const double far =
        std::max(outlying * asStandardDeviation * centre->deviation, leastOff * centre->median);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (std::abs(figures[i] - centre->median) > far) {
            places.push_back(i);
        }
    }
    return places;
}

}  // namespace dlperf::analysis
