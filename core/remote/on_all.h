// SPDX-License-Identifier: Apache-2.0
// The same work for many nodes, so many at once; returns when all is done.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace dlperf::remote {

inline constexpr std::size_t mostNodesAtOnce = 64;

// work(index) for 0 to count-1, on threads of their own. It must not throw.
inline void onAll(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t index = next++; index < count; index = next++) {
            work(index);
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(count, mostNodesAtOnce); ++i) {
        threads.emplace_back(take);
    }
}

}  // namespace dlperf::remote
