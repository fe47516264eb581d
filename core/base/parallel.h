// SPDX-License-Identifier: Apache-2.0
// The same work for many things, some at once; returns when all is done.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace dlperf {

// work(index) for 0 to count-1, in this order as far as threads keep one, on this thread and on up to
// `threads` - 1 others. It must not throw.
inline void inParallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t index = next++; index < count; index = next++) {
            work(index);
        }
    };
    std::vector<std::jthread> helpers;
    try {
        for (std::size_t i = 1; i < std::min(count, threads); ++i) {
            helpers.emplace_back(take);
        }
    } catch (const std::system_error&) {
        // The system has no more threads: those that there are do the work.
    }
    take();
}

// For work of the processor: beyond a few cores the disk is the bound.
inline std::size_t coresToUse() {
    constexpr std::size_t most = 8;
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
}

}  // namespace dlperf
