// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/kernels/floats.h"

namespace dlperf::worker::cuda {

// A thread's share of `count` elements that lie in one piece: packs for all of it but the last few elements,
// which go one each to the first threads.
template <typename OfPack, typename OfElement>
DLPERF_DEVICE inline void walkElements(std::size_t count, std::size_t thread, std::size_t threads,
                                       OfPack ofPack, OfElement ofElement) {
    const std::size_t packs = count / packSize;
    for (std::size_t pack = thread; pack < packs; pack += threads) {
        ofPack(pack * packSize);
    }
    const std::size_t element = packs * packSize + thread;
    if (element < count) {
        ofElement(element);
    }
}

constexpr std::size_t walkThreads = 256;

// Blocks of walkThreads: a pack a thread, but no more than keep a GPU busy for some waves.
constexpr std::size_t walkBlocks(std::size_t count) {
    constexpr std::size_t most = 48 * 132;
    const std::size_t wanted = (count / packSize + walkThreads - 1) / walkThreads;
    return wanted == 0 ? 1 : wanted < most ? wanted : most;
}

}  // namespace dlperf::worker::cuda
