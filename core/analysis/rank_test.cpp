// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/rank_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace dlperf::analysis {
namespace {

bool allFinite(std::span<const double> figures) {
    return std::all_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); });
}

// Twice the ranks, so that the mean ranks of ties are whole numbers.
struct Ranks {
    std::vector<std::size_t> doubled;  // of all figures, rising
    std::size_t first = 0;             // sum over the first case
    double ties = 0;                   // sum of t³ − t over groups of t equal figures
};

Ranks ranksOf(std::span<const double> first, std::span<const double> second) {
    std::vector<std::pair<double, bool>> all;
    for (const double figure : first) {
        all.emplace_back(figure, true);
    }
    for (const double figure : second) {
        all.emplace_back(figure, false);
    }
    std::sort(all.begin(), all.end());
    Ranks ranks;
    for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
        while (to < all.size() && all[to].first == all[from].first) {
            ++to;
        }
        const std::size_t doubled = from + to + 1;  // ranks from + 1 to `to`
        for (std::size_t i = from; i < to; ++i) {
            ranks.doubled.push_back(doubled);
            ranks.first += all[i].second ? doubled : 0;
        }
        const auto tied = static_cast<double>(to - from);
        ranks.ties += tied * tied * tied - tied;
    }
    return ranks;
}

// In how many ways `count` of the ranks add up to each sum.
std::vector<double> waysBySum(const std::vector<std::size_t>& ranks, std::size_t count) {
    std::size_t largestSum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        largestSum += ranks[ranks.size() - 1 - i];
    }
    std::vector<std::vector<double>> ways(count + 1, std::vector<double>(largestSum + 1, 0));
    ways[0][0] = 1;
    for (const std::size_t rank : ranks) {
        for (std::size_t taken = count; taken > 0; --taken) {
            for (std::size_t sum = largestSum; sum >= rank; --sum) {
                ways[taken][sum] += ways[taken - 1][sum - rank];
            }
        }
    }
    return ways[count];
}

double exactP(const Ranks& ranks, std::size_t count) {
    const std::vector<double> ways = waysBySum(ranks.doubled, count);
    double all = 0;
    double upTo = 0;
    double from = 0;
    for (std::size_t sum = 0; sum < ways.size(); ++sum) {
        all += ways[sum];
        upTo += sum <= ranks.first ? ways[sum] : 0;
        from += sum >= ranks.first ? ways[sum] : 0;
    }
    return std::min(1.0, 2 * std::min(upTo, from) / all);
}

double approximateP(double u, double n, double m, double ties) {
    const double all = n + m;
    const double mean = n * m / 2;
    const double deviation = std::sqrt(n * m / 12 * (all + 1 - ties / (all * (all - 1))));
    const double distance = std::abs(u - mean) - 0.5;  // half a step: u counts, the normal curve does not
    return deviation > 0 ? std::min(1.0, std::erfc(distance / deviation / std::sqrt(2.0))) : 1.0;
}

// Of the arrangement in which no figure of one case lies among those of the other.
double smallestP(std::size_t n, std::size_t m) {
    double arrangements = 1;
    for (std::size_t i = 1; i <= n; ++i) {
        arrangements *= static_cast<double>(m + i) / static_cast<double>(i);
    }
    return std::min(1.0, 2 / arrangements);
}

}  // namespace

std::optional<RankTest> mannWhitney(std::span<const double> first, std::span<const double> second) {
    if (first.empty() || second.empty() || !allFinite(first) || !allFinite(second)) {
        return std::nullopt;
    }
    const Ranks ranks = ranksOf(first, second);
    const auto n = static_cast<double>(first.size());
    const auto m = static_cast<double>(second.size());
    RankTest test;
    test.u = static_cast<double>(ranks.first) / 2 - n * (n + 1) / 2;
    test.exact = first.size() + second.size() <= mostForExact;
    test.p = test.exact ? exactP(ranks, first.size()) : approximateP(test.u, n, m, ranks.ties);
    return test;
}

Verdict verdictOf(std::span<const double> first, std::span<const double> second) {
    const auto test = mannWhitney(first, second);
    if (!test) {
        return Verdict::Unknown;
    }
    if (test->p <= significance) {
        return Verdict::Different;
    }
    return smallestP(first.size(), second.size()) > significance ? Verdict::TooFew : Verdict::Alike;
}

std::string pFigure(double p) {
    return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string pText(double p) {
    const std::string figure = pFigure(p);
    return figure.starts_with('<') ? "p " + figure : "p = " + figure;
}

}  // namespace dlperf::analysis
