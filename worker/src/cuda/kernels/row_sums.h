// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/kernels/walks.h"

namespace dlperf::worker::cuda {

// Sums over rows in two stages. Every block leaves one partial sum a channel; then those of a channel are
// added. Both in an order that depends on the shape alone. `partials` is sums x row blocks x channels.

DLPERF_BOTH inline std::size_t partialIndex(const RowTiling& tiling, std::size_t channels, unsigned sum,
                                            unsigned rowBlock) {
    return (static_cast<std::size_t>(sum) * tiling.rowBlocks + rowBlock) * channels;
}

// Most sums that one kernel makes.
constexpr unsigned maxSums = 3;

inline std::size_t partialCount(Rows shape) {
    return maxSums * static_cast<std::size_t>(sumTiling(shape).rowBlocks) * shape.channels;
}

#ifdef __CUDACC__

// First stage: adds what the block's threads have summed and stores it as the block's partial sum. Every
// thread of the block takes part.
__device__ inline void storePartial(const RowTiling& tiling, const RowPlace& place, std::size_t channels,
                                    unsigned sum, const Floats& mine, float* partials) {
    __shared__ float shared[packSize][RowTiling::maxThreads];
    __syncthreads();  // the sum before this one has been read
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        shared[k][threadIdx.x] = mine[k];
    }
    for (unsigned left = tiling.lanes; left > 1;) {
        const unsigned half = (left + 1) / 2;
        __syncthreads();
        if (place.lane + half < left) {
            DLPERF_UNROLL
            for (int k = 0; k < packSize; ++k) {
                shared[k][threadIdx.x] += shared[k][threadIdx.x + half * tiling.tilePacks];
            }
        }
        left = half;
    }
    if (place.lane > 0) {
        return;
    }
    float* to = partials + partialIndex(tiling, channels, sum, place.rowBlock) + place.channel;
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        to[k] = shared[k][threadIdx.x];
    }
}

// Second stage: blocks of foldChannels x foldLanes threads, channels first.
constexpr unsigned foldChannels = 32;
constexpr unsigned foldLanes = 32;

// The sum of a channel's partial sums, for the threads of lane 0; 0 for others and for channels that do not
// exist. Every thread of the block takes part.
__device__ inline double foldPartials(const RowTiling& tiling, std::size_t channels, unsigned sum,
                                      std::size_t channel, const float* partials) {
    __shared__ double shared[foldLanes][foldChannels];
    const unsigned column = threadIdx.x % foldChannels;
    const unsigned lane = threadIdx.x / foldChannels;
    double total = 0;
    if (channel < channels) {
#pragma unroll 4
        for (unsigned block = lane; block < tiling.rowBlocks; block += foldLanes) {
            total += static_cast<double>(partials[partialIndex(tiling, channels, sum, block) + channel]);
        }
    }
    __syncthreads();  // the sum before this one has been read
    shared[lane][column] = total;
    for (unsigned half = foldLanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) {
            shared[lane][column] += shared[lane + half][column];
        }
    }
    return lane == 0 ? shared[0][column] : 0;
}

#endif

}  // namespace dlperf::worker::cuda
