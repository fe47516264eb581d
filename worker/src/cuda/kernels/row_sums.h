// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/kernels/pack.h"
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

// What the gradient of a normalisation needs, while a thread adds it up.
struct Sums {
    Floats dz;
    Floats centred;
    __device__ void add(const Floats& gradient, const Floats& x, const Floats& mean) {
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            dz[k] += gradient[k];
            centred[k] = fmaf(gradient[k], x[k] - mean[k], centred[k]);
        }
    }
};

// The gradient in front of a layer's ReLU, from the one behind it; what that let through is made again from
// x.
class Rectifier {
public:
    __device__ Rectifier(Affine affine, std::size_t channel)
        : scale_(loadFloats(affine.scale + channel)), shift_(loadFloats(affine.shift + channel)) {}
    __device__ Floats dz(Floats dy, const Floats& x) const {
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            dy[k] = affine(x[k], scale_[k], shift_[k]) > 0 ? dy[k] : 0;
        }
        return dy;
    }

private:
    Floats scale_;
    Floats shift_;
};

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

// Second stage: blocks of foldChannels x foldLanes threads, channels first. It has little to do and keeps the
// next kernel waiting: blocks of few channels put it on many multiprocessors, as one alone reads some 100
// GB/s of what others have just written, and a thread has many reads under way.
constexpr unsigned foldChannels = packSize;
constexpr unsigned foldLanes = 32;
constexpr unsigned foldTogether = 13;  // of each sum, under way at once: a lane has 25 of 792 row blocks
// That a multiprocessor is to have room for: where that is not said, nvcc saves registers and has fewer reads
// under way.
constexpr unsigned foldBlocks = 2;

// The thread's channel, of which there is a multiple of foldChannels.
__device__ inline std::size_t foldedChannel() {
    return static_cast<std::size_t>(blockIdx.x) * foldChannels + threadIdx.x % foldChannels;
}

// The two sums of one channel.
struct FoldedSums {
    double first;
    double second;
};

// Adds a channel's partial sums of two kinds, for the threads of lane 0; others get what they have so far.
// Every thread of the block takes part, once a kernel.
__device__ inline FoldedSums foldPartials(const RowTiling& tiling, std::size_t channels, unsigned first,
                                          unsigned second, std::size_t channel, const float* partials) {
    __shared__ FoldedSums shared[foldLanes][foldChannels];
    const unsigned column = threadIdx.x % foldChannels;
    const unsigned lane = threadIdx.x / foldChannels;
    FoldedSums total{};
    for (unsigned block = lane; block < tiling.rowBlocks; block += foldTogether * foldLanes) {
        float held[2][foldTogether];
        DLPERF_UNROLL
        for (unsigned k = 0; k < foldTogether; ++k) {
            const unsigned ahead = block + k * foldLanes;
            const bool exists = ahead < tiling.rowBlocks;
            held[0][k] = exists ? partials[partialIndex(tiling, channels, first, ahead) + channel] : 0;
            held[1][k] = exists ? partials[partialIndex(tiling, channels, second, ahead) + channel] : 0;
        }
        DLPERF_UNROLL
        for (unsigned k = 0; k < foldTogether; ++k) {
            total.first += static_cast<double>(held[0][k]);
            total.second += static_cast<double>(held[1][k]);
        }
    }
    shared[lane][column] = total;
    for (unsigned half = foldLanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) {
            shared[lane][column].first += shared[lane + half][column].first;
            shared[lane][column].second += shared[lane + half][column].second;
        }
    }
    return shared[lane][column];
}

#endif

}  // namespace dlperf::worker::cuda
