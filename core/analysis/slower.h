// SPDX-License-Identifier: Apache-2.0
// Whether one of several ranks or nodes takes longer than the others, or its repetitions only fell that way.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace dlperf::analysis {

struct Slower {
    double by = 0;              // 0.04: it takes 4 % longer, as the medians have it
    std::optional<double> p{};  // of the rank test; nothing where there were too few repetitions for one
};

// The times of one and of the others (their median) in the same repetitions. As it was picked out of many,
// its p is multiplied by their number, `tries` (Bonferroni). It is slow by more than 2 % and a test, or,
// where the repetitions are too few for that, by more than 10 % in each. Else nothing.
[[nodiscard]] std::optional<Slower> slowerThan(std::span<const double> own, std::span<const double> others,
                                               std::size_t tries);

}  // namespace dlperf::analysis
