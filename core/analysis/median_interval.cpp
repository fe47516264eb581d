// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/median_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dlperf::analysis {
namespace {

// Beyond, the two middle values of a resample lie so close that their mean is as good as each of them.
constexpr std::size_t mostPairs = 64;
// Dropped from ratios: what all of them make together moves no percentile of the few digits that are shown.
constexpr double negligible = 1e-7;

struct Median {
    double median = 0;
    double probability = 0;
};

double logChoose(std::size_t n, std::size_t k) {
    const auto factorial = [](std::size_t of) { return std::lgamma(static_cast<double>(of) + 1); };
    return factorial(n) - factorial(k) - factorial(n - k);
}

// That at least `rank` of n draws lie among the `below` smallest of n values: from the likeliest count both
// ways as far as it matters, so that thousands of figures cost no more than the root of their number each.
double rankAtMost(std::size_t n, std::size_t rank, std::size_t below) {
    constexpr double nothing = 1e-20;
    if (below == 0) {
        return 0;
    }
    if (below >= n) {
        return 1;
    }
    const double share = static_cast<double>(below) / static_cast<double>(n);
    const double odds = share / (1 - share);
    const std::size_t likeliest = std::clamp(below, rank, n);
    const double highest =
        std::exp(logChoose(n, likeliest) + static_cast<double>(likeliest) * std::log(share) +
                 static_cast<double>(n - likeliest) * std::log1p(-share));
    double sum = highest;
    double term = highest;
    for (std::size_t count = likeliest; count > rank && term > nothing; --count) {
        term *= static_cast<double>(count) / static_cast<double>(n - count + 1) / odds;
        sum += term;
    }
    term = highest;
    for (std::size_t count = likeliest; count < n && term > nothing; ++count) {
        term *= static_cast<double>(n - count) / static_cast<double>(count + 1) * odds;
        sum += term;
    }
    return std::min(sum, 1.0);
}

// That the value of this rank in a resample is the k-th smallest of all (both from 1).
double rankIs(std::size_t n, std::size_t rank, std::size_t k) {
    return rankAtMost(n, rank, k) - rankAtMost(n, rank, k - 1);
}

std::vector<Median> singleMiddle(const std::vector<double>& sorted, std::size_t rank) {
    std::vector<Median> outcomes;
    for (std::size_t k = 1; k <= sorted.size(); ++k) {
        outcomes.push_back({sorted[k - 1], rankIs(sorted.size(), rank, k)});
    }
    return outcomes;
}

// Of an even number of figures the median is the mean of the two middle values. They are the i-th and the
// j-th of all when one half of the draws goes up to i and reaches it, and the other from j on and reaches it.
std::vector<Median> middlePair(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    const std::size_t half = n / 2;
    const auto reaches = [&](std::size_t values) {
        const auto power = [&](std::size_t of) {
            return std::pow(static_cast<double>(of) / static_cast<double>(n), static_cast<double>(half));
        };
        return power(values) - power(values - 1);
    };
    const double ways = std::exp(logChoose(n, half));
    std::vector<Median> outcomes;
    for (std::size_t i = 1; i <= n; ++i) {
        double same = rankIs(n, half, i);
        for (std::size_t j = i + 1; j <= n; ++j) {
            const double probability = ways * reaches(i) * reaches(n - j + 1);
            outcomes.push_back({(sorted[i - 1] + sorted[j - 1]) / 2, probability});
            same -= probability;
        }
        outcomes.push_back({sorted[i - 1], std::max(same, 0.0)});
    }
    return outcomes;
}

double percentile(const std::vector<Median>& outcomes, double share) {
    double sum = 0;
    for (const Median& outcome : outcomes) {
        sum += outcome.probability;
        if (sum >= share) {
            return outcome.median;
        }
    }
    return outcomes.back().median;  // rounding left the sum below the share
}

// The medians of all resamples, rising; empty for too few figures, or one that is not finite.
std::vector<Median> resampledMedians(std::span<const double> figures) {
    const bool finite =
        std::all_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
    if (figures.size() < fewestForInterval || !finite) {
        return {};
    }
    std::vector<double> sorted(figures.begin(), figures.end());
    std::sort(sorted.begin(), sorted.end());
    const bool pairs = sorted.size() % 2 == 0 && sorted.size() <= mostPairs;
    return pairs ? middlePair(sorted) : singleMiddle(sorted, (sorted.size() + 1) / 2);
}

// Sorts them by value.
std::optional<Interval> middleOf(std::vector<Median> outcomes) {
    if (outcomes.empty()) {
        return std::nullopt;
    }
    std::stable_sort(outcomes.begin(), outcomes.end(),
                     [](const Median& a, const Median& b) { return a.median < b.median; });
    constexpr double outside = (1 - confidence) / 2;
    return Interval{percentile(outcomes, outside), percentile(outcomes, 1 - outside)};
}

// Without those that hardly ever come: of many figures, most.
std::vector<Median> likely(std::vector<Median> outcomes) {
    std::erase_if(outcomes, [](const Median& outcome) { return outcome.probability < negligible; });
    return outcomes;
}

}  // namespace

std::optional<Interval> medianInterval(std::span<const double> figures) {
    return middleOf(resampledMedians(figures));
}

std::optional<Interval> spreadOf(std::span<const double> figures) {
    if (const auto interval = medianInterval(figures)) {
        return interval;
    }
    if (figures.size() < 2) {
        return std::nullopt;
    }
    const auto [low, high] = std::ranges::minmax(figures);
    return Interval{low, high};
}

std::optional<Interval> ratioInterval(std::span<const double> figures, std::span<const double> base) {
    const std::vector<Median> above = likely(resampledMedians(figures));
    const std::vector<Median> below = likely(resampledMedians(base));
    const bool positive =
        std::all_of(below.begin(), below.end(), [](const Median& outcome) { return outcome.median > 0; });
    std::vector<Median> ratios;
    for (const Median& one : above) {
        for (const Median& other : below) {
            ratios.push_back({one.median / other.median, one.probability * other.probability});
        }
    }
    return positive ? middleOf(std::move(ratios)) : std::nullopt;
}

}  // namespace dlperf::analysis
