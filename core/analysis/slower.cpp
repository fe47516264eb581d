// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/slower.h"

#include <algorithm>
#include <limits>

#include "core/analysis/rank_test.h"
#include "core/analysis/summary.h"

namespace dlperf::analysis {
namespace {

constexpr double slowByTest = 0.02;
constexpr double slowByFar = 0.10;

// The least p that a rank test of so many repetitions on both sides can give.
double leastP(std::size_t repetitions) {
    double arrangements = 1;
    for (std::size_t i = 1; i <= repetitions; ++i) {
        arrangements *= static_cast<double>(repetitions + i) / static_cast<double>(i);
    }
    return 2 / arrangements;
}

}  // namespace

std::optional<Slower> slowerThan(std::span<const double> own, std::span<const double> others,
                                 std::size_t tries) {
    const auto test = mannWhitney(own, others);
    if (!test) {
        return std::nullopt;
    }
    Slower slow{.by = medianOf(own) / medianOf(others) - 1};
    const auto picked = static_cast<double>(tries);
    const std::size_t count = std::min(own.size(), others.size());
    if (leastP(count) * picked > significance) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < count; ++i) {
            least = std::min(least, own[i] / others[i] - 1);
        }
        return least > slowByFar ? std::optional(slow) : std::nullopt;
    }
    slow.p = std::min(1.0, test->p * picked);
    return *slow.p <= significance && slow.by > slowByTest ? std::optional(slow) : std::nullopt;
}

}  // namespace dlperf::analysis
