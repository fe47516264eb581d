// SPDX-License-Identifier: Apache-2.0
// The same work for many nodes, so many at once; returns when all is done.
#pragma once

#include <cstddef>
#include <functional>

#include "core/base/parallel.h"

namespace dlperf::remote {

inline constexpr std::size_t mostNodesAtOnce = 64;

// work(index) for 0 to count-1. It must not throw.
inline void onAll(std::size_t count, const std::function<void(std::size_t)>& work) {
    inParallel(count, mostNodesAtOnce, work);
}

}  // namespace dlperf::remote
