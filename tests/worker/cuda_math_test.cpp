// SPDX-License-Identifier: Apache-2.0
// How the CUDA kernels' threads share the work, and what of their mathematics shows in none of their tests.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cuda/kernels/math.h"
#include "cuda/kernels/row_sums.h"
#include "cuda/kernels/walks.h"

namespace dlperf::worker::cuda::test {
namespace {

// -- threads over rows

// How often every element is visited when all threads walk.
template <int Together>
std::vector<int> visits(Rows shape, const RowTiling& tiling) {
    std::vector<int> result(shape.rows * shape.channels, 0);
    for (unsigned block = 0; block < tiling.blocks(); ++block) {
        for (unsigned thread = 0; thread < tiling.threads(); ++thread) {
            walkRows<Together>(
                shape, tiling, placeOf(tiling, block, thread), [](std::size_t at) { return at; },
                [&](std::size_t at, std::size_t loaded) {
                    EXPECT_EQ(at, loaded);
                    for (std::size_t k = 0; k < packSize; ++k) {
                        ++result[at + k];
                    }
                });
        }
    }
    return result;
}

TEST(CudaRows, EveryElementIsVisitedOnce) {
    for (const Rows shape : {Rows{1, 8}, {7, 64}, {1000, 64}, {333, 24}, {50, 2048}, {90, 272}, {40, 136}}) {
        for (const unsigned blocks : {1U, 5U, 40U}) {
            const RowTiling tiling = tilingFor(shape, blocks);
            ASSERT_LE(tiling.threads(), RowTiling::maxThreads);
            ASSERT_EQ(tiling.tiles * tiling.tilePacks * packSize, shape.channels);
            const std::vector<int> once(shape.rows * shape.channels, 1);
            EXPECT_EQ(visits<1>(shape, tiling), once);
            EXPECT_EQ(visits<2>(shape, tiling), once);
            EXPECT_EQ(visits<4>(shape, tiling), once);
        }
    }
}

TEST(CudaRows, TheNetworksShapesFillTheirBlocks) {
    struct Layer {
        std::size_t channels;
        std::size_t size;
    };
    for (const Layer layer : {Layer{64, 112},
                              {64, 56},
                              {256, 56},
                              {128, 56},
                              {128, 28},
                              {512, 28},
                              {256, 28},
                              {256, 14},
                              {1024, 14},
                              {512, 14},
                              {512, 7},
                              {2048, 7}}) {
        const Rows shape{256 * layer.size * layer.size, layer.channels};
        EXPECT_EQ(sumTiling(shape).threads(), RowTiling::maxThreads);
        EXPECT_EQ(sumTiling(shape).blocks(), sumBlocks);
        EXPECT_EQ(applyTiling(shape).threads(), RowTiling::maxThreads);
        EXPECT_GE(applyTiling(shape).blocks(), applyBlocks * 9 / 10);
    }
}

TEST(CudaRows, PartialSumsHavePlacesOfTheirOwn) {
    const Rows shape{100000, 136};
    const RowTiling tiling = sumTiling(shape);
    std::vector<int> used(partialCount(shape), 0);
    for (unsigned sum = 0; sum < maxSums; ++sum) {
        for (unsigned block = 0; block < tiling.rowBlocks; ++block) {
            for (std::size_t c = 0; c < shape.channels; ++c) {
                ++used.at(partialIndex(tiling, shape.channels, sum, block) + c);
            }
        }
    }
    EXPECT_EQ(used, std::vector<int>(used.size(), 1));
}

TEST(CudaElements, EveryOneIsVisitedOnce) {
    for (const std::size_t count : {0, 1, 7, 8, 9, 1000, 4099}) {
        for (const std::size_t threads : {8, 64, 1024}) {
            std::vector<int> seen(count, 0);
            for (std::size_t thread = 0; thread < threads; ++thread) {
                walkElements(
                    count, thread, threads,
                    [&](std::size_t at) {
                        for (std::size_t k = 0; k < packSize; ++k) {
                            ++seen.at(at + k);
                        }
                    },
                    [&](std::size_t at) { ++seen.at(at); });
            }
            EXPECT_EQ(seen, std::vector<int>(count, 1));
        }
    }
    EXPECT_EQ(walkBlocks(0), 1U);
    EXPECT_EQ(walkBlocks(walkThreads * packSize + 8), 2U);
}

// -- batch normalisation

TEST(CudaNorm, MaskHasABitForEveryElementAboveZero) {
    const Floats values{{1, -1, 0, 2, -0.0F, NAN, INFINITY, 1e-30F}};
    const std::uint8_t mask = maskOf(values);
    EXPECT_EQ(mask, 0b11001001);
    for (int k = 0; k < packSize; ++k) {
        EXPECT_EQ(whereSet(mask, k, 5), values[k] > 0 ? 5 : 0);
    }
}

// -- pooling

TEST(CudaPooling, TheFirstAmongEqualsWinsAndWhatIsNotANumberStays) {
    EXPECT_TRUE(beats(2, 1));
    EXPECT_FALSE(beats(1, 1));
    EXPECT_TRUE(beats(NAN, 1));
    EXPECT_FALSE(beats(1, NAN));
}

// -- loss

TEST(CudaLoss, WhatIsNotFiniteIsSeen) {
    for (const float bad : {NAN, INFINITY}) {
        LogitSums sums = withLogit(withLogit(withLogit(noLogits(), 1), bad), 2);
        EXPECT_FALSE(std::isfinite(logTotal(together(noLogits(), sums))));
        EXPECT_FALSE(std::isfinite(logTotal(together(withLogit(noLogits(), 3), sums))));
    }
}

// -- optimizer

TEST(CudaLossScale, HalvesOnOverflowAndDoublesAfterManyGoodSteps) {
    LossScaleState state;
    EXPECT_EQ(state.scale, 65536);
    state = lossScaleAfter(state, true);
    EXPECT_EQ(state.scale, 32768);
    EXPECT_EQ(state.skipped, 1);
    for (int step = 0; step < 1999; ++step) {
        state = lossScaleAfter(state, false);
    }
    EXPECT_EQ(state.scale, 32768);
    state = lossScaleAfter(state, false);
    EXPECT_EQ(state.scale, 65536);
    EXPECT_EQ(state.goodSteps, 0);
    for (int step = 0; step < 1999; ++step) {
        state = lossScaleAfter(state, false);
    }
    state = lossScaleAfter(lossScaleAfter(state, true), false);
    EXPECT_EQ(state.scale, 32768);  // an overflow begins the count anew
    EXPECT_EQ(state.goodSteps, 1);
}

TEST(CudaLossScale, StaysBetweenItsBounds) {
    LossScaleState state;
    for (int step = 0; step < 100; ++step) {
        state = lossScaleAfter(state, true);
    }
    EXPECT_EQ(state.scale, 1);
    EXPECT_EQ(state.skipped, 100);
    for (int step = 0; step < 2000 * 100; ++step) {
        state = lossScaleAfter(state, false);
    }
    EXPECT_EQ(state.scale, 65536.0F * 256);
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
