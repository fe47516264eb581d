// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace dlperf::worker {

// Of a number that is not negative.
constexpr std::size_t asIndex(int value) {
    return static_cast<std::size_t>(value);
}

// The next multiple, as alignment wants it.
constexpr std::size_t roundedUp(std::size_t count, std::size_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

}  // namespace dlperf::worker
