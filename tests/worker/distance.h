// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

namespace dlperf::worker {

// The norm of the difference over the norm of what is expected, or where that is zero the former.
template <typename Found, typename Expected>
double relativeDistance(const Found& found, const Expected& expected) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto theirs = static_cast<double>(expected[i]);
        const double apart = static_cast<double>(found[i]) - theirs;
        difference += apart * apart;
        size += theirs * theirs;
    }
    return std::sqrt(size == 0 ? difference : difference / size);
}

}  // namespace dlperf::worker
