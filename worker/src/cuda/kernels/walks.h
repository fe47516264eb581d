// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/kernels/math.h"
#include "net/tensor_shapes.h"

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

// Blocks of `threads` that have a thread for each of `count` things, at least one.
constexpr std::size_t blocksFor(std::size_t count, std::size_t threads) {
    return count == 0 ? 1 : (count + threads - 1) / threads;
}

constexpr std::size_t walkThreads = 256;

// Blocks of walkThreads: a pack a thread, but no more than keep a GPU busy for some waves.
constexpr std::size_t walkBlocks(std::size_t count) {
    constexpr std::size_t most = std::size_t{48} * 132;
    const std::size_t wanted = blocksFor(count / packSize, walkThreads);
    return wanted < most ? wanted : most;
}

// How threads lie over a matrix. A thread keeps to one pack of channels, so that what belongs to channels
// stays in its registers. Neighbouring threads have the packs of a tile, then its next rows; the blocks sweep
// over the rows together.
struct RowTiling {
    static constexpr unsigned maxThreads = 256;
    static constexpr unsigned maxTilePacks = 32;  // a warp reads a piece of one row

    unsigned tilePacks;  // packs of a tile
    unsigned tiles;      // of a row
    unsigned lanes;      // rows that a block treats at once
    unsigned rowBlocks;  // blocks that share the rows of a tile

    DLPERF_BOTH unsigned threads() const { return tilePacks * lanes; }
    DLPERF_BOTH unsigned blocks() const { return tiles * rowBlocks; }
    DLPERF_BOTH std::size_t stride() const { return static_cast<std::size_t>(rowBlocks) * lanes; }
};

// Blocks aimed at: whole waves on an H200's 132 multiprocessors, whether 2 or 3 are on each at a time. Sums
// want few, as each leaves partial sums.
constexpr unsigned sumBlocks = 6 * 132;
constexpr unsigned applyBlocks = 24 * 132;

// Depends on the shape alone, so that sums are of the same bits on every GPU.
inline RowTiling tilingFor(Rows shape, unsigned blocks) {
    const auto packs = static_cast<unsigned>(shape.channels / packSize);
    RowTiling tiling{};
    tiling.tilePacks = packs < RowTiling::maxTilePacks ? packs : RowTiling::maxTilePacks;
    while (packs % tiling.tilePacks != 0) {
        --tiling.tilePacks;
    }
    tiling.tiles = packs / tiling.tilePacks;
    tiling.lanes = RowTiling::maxThreads / tiling.tilePacks;

    const std::size_t useful = (shape.rows + tiling.lanes - 1) / tiling.lanes;
    const std::size_t wanted = tiling.tiles < blocks ? blocks / tiling.tiles : 1;
    tiling.rowBlocks = static_cast<unsigned>(useful < wanted ? useful : wanted);
    return tiling;
}

inline RowTiling sumTiling(Rows shape) {
    return tilingFor(shape, sumBlocks);
}
inline RowTiling applyTiling(Rows shape) {
    return tilingFor(shape, applyBlocks);
}

// Where a thread begins.
struct RowPlace {
    std::size_t channel;
    std::size_t row;
    unsigned lane;
    unsigned rowBlock;
};

DLPERF_BOTH inline RowPlace placeOf(const RowTiling& tiling, unsigned block, unsigned thread) {
    const unsigned pack = block % tiling.tiles * tiling.tilePacks + thread % tiling.tilePacks;
    const unsigned lane = thread / tiling.tilePacks;
    const unsigned rowBlock = block / tiling.tiles;
    return {static_cast<std::size_t>(pack) * packSize,
            static_cast<std::size_t>(rowBlock) * tiling.lanes + lane, lane, rowBlock};
}

// Calls use(at, load(at)) for every pack of the thread; `at` counts elements. It loads `Together` packs
// before it uses them: that many reads are under way at a time.
template <int Together, typename Load, typename Use>
DLPERF_DEVICE inline void walkRows(Rows shape, const RowTiling& tiling, const RowPlace& place, Load load,
                                   Use use) {
    const std::size_t stride = tiling.stride();
    const std::size_t step = stride * shape.channels;
    std::size_t at = place.row * shape.channels + place.channel;
    for (std::size_t row = place.row; row < shape.rows; row += Together * stride, at += Together * step) {
        decltype(load(at)) held[Together];
        DLPERF_UNROLL
        for (int k = 0; k < Together; ++k) {
            const auto ahead = static_cast<std::size_t>(k);
            if (row + ahead * stride < shape.rows) {
                held[k] = load(at + ahead * step);
            }
        }
        DLPERF_UNROLL
        for (int k = 0; k < Together; ++k) {
            const auto ahead = static_cast<std::size_t>(k);
            if (row + ahead * stride < shape.rows) {
                use(at + ahead * step, held[k]);
            }
        }
    }
}

}  // namespace dlperf::worker::cuda
