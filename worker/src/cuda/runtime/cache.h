// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>

#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda {

// How many sets of tensors, of `bytes` each, are to be used in turn so that the GPU's L2 cache has seen as
// much as it holds of the others when the first one's turn comes again: what is timed then finds its tensors
// where a step's are, in memory. Fewer, but one, where they would take more than a quarter of the memory that
// is free.
inline std::size_t setsBeyondCache(std::size_t bytes) {
    int device = 0;
    int cache = 0;
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaGetDevice(&device), "tell the GPU in use");
    check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device), "tell the size of its cache");
    check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    constexpr std::size_t most = 16;  // of small tensors: what they cost is to start them
    const std::size_t one = std::max<std::size_t>(bytes, 1);
    const std::size_t wanted = 1 + (static_cast<std::size_t>(cache) + one - 1) / one;
    return std::max<std::size_t>(1, std::min({wanted, most, free / 4 / one}));
}

}  // namespace dlperf::worker::cuda
