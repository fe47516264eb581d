// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"

#include "cuda/kernels/launch.h"
#include "cuda/kernels/math.h"
#include "cuda/kernels/pack.h"
#include "cuda/kernels/row_sums.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t blockThreads = 256;

// Packs are counted in 32 bits: a division in 64 costs more than the pooling of a pack.
__device__ unsigned threadIndex() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// A pack of one pixel of a batch of images of `size` x `size`.
struct PixelPack {
    std::size_t channel;
    std::size_t column;
    std::size_t row;
    std::size_t image;
};

__device__ PixelPack pixelPack(unsigned index, std::size_t size, std::size_t channels) {
    const auto packs = static_cast<unsigned>(channels / packSize);
    const auto side = static_cast<unsigned>(size);
    const unsigned pixel = index / packs;
    const unsigned line = pixel / side;
    return {index % packs * packSize, pixel % side, line % side, line / side};
}

// Where the pack's thread reads or writes it.
__device__ std::size_t elementOf(unsigned index) {
    return static_cast<std::size_t>(index) * packSize;
}

// One byte an element of a pack.
struct Winners {
    std::uint64_t bytes;
    __device__ unsigned operator[](int k) const { return static_cast<unsigned>(bytes >> (8 * k)) & 0xFF; }
};

// The largest so far, and where in the window it was.
struct Best {
    Floats values;
    unsigned positions[packSize];
};

// One row of the window, which lies in `line` of the image; reads all three before it looks at one.
template <typename T>
__device__ void poolRow(const Pooling& shape, const T* line, std::size_t outColumn, int firstPosition,
                        const Floats& scale, const Floats& shift, Best& best) {
    Pack<T> packs[windowSize];
    DLPERF_UNROLL
    for (int k = 0; k < windowSize; ++k) {
        const std::size_t column = windowPixel(outColumn, k);
        if (column < shape.inSize) {
            packs[k] = loadPack(line + column * shape.channels);
        }
    }
    DLPERF_UNROLL
    for (int k = 0; k < windowSize; ++k) {
        if (windowPixel(outColumn, k) >= shape.inSize) {
            continue;
        }
        const Floats values = unpack(packs[k]);
        DLPERF_UNROLL
        for (int c = 0; c < packSize; ++c) {
            const float value = rectified(affine(values[c], scale[c], shift[c]));
            const bool better = beats(value, best.values[c]);
            best.positions[c] = better ? static_cast<unsigned>(firstPosition + k) : best.positions[c];
            best.values[c] = better ? value : best.values[c];
        }
    }
}

template <typename T>
__global__ void __launch_bounds__(blockThreads)
    maxPoolKernel(Pooling shape, const T* x, Affine norm, T* y, std::uint8_t* winner) {
    const unsigned index = threadIndex();
    const PixelPack out = pixelPack(index, shape.outSize, shape.channels);
    if (out.image >= shape.batch) {
        return;
    }
    const Floats scale = loadFloats(norm.scale + out.channel);
    const Floats shift = loadFloats(norm.shift + out.channel);
    Best best{};
    DLPERF_UNROLL
    for (int c = 0; c < packSize; ++c) {
        best.values[c] = -INFINITY;
    }
    DLPERF_UNROLL
    for (int k = 0; k < windowSize; ++k) {
        const std::size_t row = windowPixel(out.row, k);
        if (row >= shape.inSize) {
            continue;
        }
        const T* line = x + (out.image * shape.inSize + row) * shape.inSize * shape.channels + out.channel;
        poolRow(shape, line, out.column, k * windowSize, scale, shift, best);
    }
    storeFloats(y + elementOf(index), best.values);
    std::uint64_t bytes = 0;
    DLPERF_UNROLL
    for (int c = 0; c < packSize; ++c) {
        bytes |= static_cast<std::uint64_t>(best.positions[c]) << (8 * c);
    }
    *reinterpret_cast<std::uint64_t*>(winner + elementOf(index)) = bytes;
}

// The gradient of one output pixel's pack, and which inputs it goes to.
struct WindowGradient {
    Floats dy;
    Winners winners;
    bool inside;
};

template <typename T>
__device__ WindowGradient loadWindow(const Pooling& shape, const PixelPack& out, const T* dy,
                                     const T* dyShortcut, const std::uint8_t* winner) {
    WindowGradient window{};
    window.inside = out.row < shape.outSize && out.column < shape.outSize;
    if (!window.inside) {
        return window;
    }
    const std::size_t at =
        ((out.image * shape.outSize + out.row) * shape.outSize + out.column) * shape.channels + out.channel;
    window.dy = loadFloats(dy + at);
    window.winners = {*reinterpret_cast<const std::uint64_t*>(winner + at)};
    if (dyShortcut == nullptr) {
        return window;
    }
    const Floats around = loadFloats(dyShortcut + at);
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        window.dy[k] += around[k];
    }
    return window;
}

// Adds what the window gives to its position, which is negative where there is none.
__device__ void gather(const WindowGradient& window, int rowPosition, int columnPosition, Floats& sum) {
    if (rowPosition < 0 || columnPosition < 0 || !window.inside) {
        return;
    }
    const auto position = static_cast<unsigned>(rowPosition * windowSize + columnPosition);
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        sum[k] += window.winners[k] == position ? window.dy[k] : 0;
    }
}

// The pixel `side` of the patch, counted in rows, gathered from the patch's windows.
__device__ Floats gatherSide(const WindowGradient (&windows)[4], int side) {
    Floats sum{};
    DLPERF_UNROLL
    for (int next = 0; next < 4; ++next) {
        gather(windows[next], patchPosition(side / 2, next / 2), patchPosition(side % 2, next % 2), sum);
    }
    return sum;
}

// What a thread reads for a pack of a patch of 2 x 2 input pixels: all of it before it looks at any.
template <typename T>
struct Patch {
    WindowGradient windows[4];
    Pack<T> x[4];
    std::size_t first;  // the first pixel's element
    bool hasRight;
    bool hasDown;

    __device__ Patch(const Pooling& shape, const PixelPack& place, const PoolGradient<T>& tensors)
        : first(((place.image * shape.inSize + 2 * place.row) * shape.inSize + 2 * place.column) *
                    shape.channels +
                place.channel),
          hasRight(2 * place.column + 1 < shape.inSize),
          hasDown(2 * place.row + 1 < shape.inSize) {
        DLPERF_UNROLL
        for (int side = 0; side < 4; ++side) {
            if (isInside(side)) {
                x[side] = loadPack(tensors.x + element(shape, side));
            }
        }
        DLPERF_UNROLL
        for (int next = 0; next < 4; ++next) {
            const auto down = static_cast<std::size_t>(next / 2);
            const auto right = static_cast<std::size_t>(next % 2);
            windows[next] =
                loadWindow(shape, {place.channel, place.column + right, place.row + down, place.image},
                           tensors.dy, tensors.dyShortcut, tensors.winner);
        }
    }
    __device__ bool isInside(int side) const {
        return (side / 2 == 0 || hasDown) && (side % 2 == 0 || hasRight);
    }
    __device__ std::size_t element(const Pooling& shape, int side) const {
        const auto down = static_cast<std::size_t>(side / 2);
        const auto right = static_cast<std::size_t>(side % 2);
        return first + (down * shape.inSize + right) * shape.channels;
    }
};

// A thread keeps to one pack of channels, as where rows are summed; its rows are patches.
template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 2)
    poolSumsKernel(Pooling shape, RowTiling tiling, PoolGradient<T> tensors, Affine norm, const float* mean,
                   T* dz, float* partials) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Rectifier relu(norm, place.channel);
    const Floats means = loadFloats(mean + place.channel);
    const auto patches = static_cast<unsigned>((shape.inSize + 1) / 2);
    const std::size_t all = shape.batch * patches * patches;
    Sums sums{};
    for (std::size_t row = place.row; row < all; row += tiling.stride()) {
        const auto index = static_cast<unsigned>(row);
        const unsigned line = index / patches;
        const Patch<T> patch(shape, {place.channel, index % patches, line % patches, line / patches},
                             tensors);
        DLPERF_UNROLL
        for (int side = 0; side < 4; ++side) {
            if (!patch.isInside(side)) {
                continue;
            }
            const Floats x = unpack(patch.x[side]);
            const Pack<T> rounded = toPack<T>(relu.dz(gatherSide(patch.windows, side), x));
            storePack(dz + patch.element(shape, side), rounded);
            sums.add(unpack(rounded), x, means);
        }
    }
    storePartial(tiling, place, shape.channels, 0, sums.dz, partials);
    storePartial(tiling, place, shape.channels, 1, sums.centred, partials);
}

// A pack of one image.
template <typename T>
__global__ void __launch_bounds__(blockThreads) meanPoolKernel(Pooling shape, const T* x, T* y) {
    const unsigned index = threadIndex();
    const PixelPack out = pixelPack(index, 1, shape.channels);
    if (out.image >= shape.batch) {
        return;
    }
    const std::size_t pixels = shape.inSize * shape.inSize;
    const T* image = x + out.image * pixels * shape.channels + out.channel;
    Floats sum{};
#pragma unroll 8
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const Floats values = loadFloats(image + pixel * shape.channels);
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            sum[k] += values[k];
        }
    }
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        sum[k] *= 1.0F / static_cast<float>(pixels);
    }
    storeFloats(y + elementOf(index), sum);
}

// A pack of one input pixel.
template <typename T>
__global__ void __launch_bounds__(blockThreads) meanPoolGradientKernel(Pooling shape, const T* dy, T* dx) {
    const unsigned index = threadIndex();
    const PixelPack in = pixelPack(index, shape.inSize, shape.channels);
    if (in.image >= shape.batch) {
        return;
    }
    const float scale = 1.0F / static_cast<float>(shape.inSize * shape.inSize);
    Floats values = loadFloats(dy + in.image * shape.channels + in.channel);
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        values[k] *= scale;
    }
    storeFloats(dx + elementOf(index), values);
}

// Blocks with a thread for each pack of images of `size` x `size`.
std::size_t blocksOf(const Pooling& shape, std::size_t size) {
    return blocksFor(shape.batch * size * size * (shape.channels / packSize), blockThreads);
}

}  // namespace

template <typename T>
void normReluMaxPool(cudaStream_t stream, Pooling shape, const T* x, Affine affine, T* y,
                     std::uint8_t* winner) {
    launch("start the pooling", stream, blocksOf(shape, shape.outSize), blockThreads, maxPoolKernel<T>, shape,
           x, affine, y, winner);
}

template <typename T>
void maxPoolReluSums(cudaStream_t stream, Pooling shape, PoolGradient<T> tensors, Affine affine,
                     const float* mean, T* dz, float* scratch) {
    const RowTiling tiling = sumTiling({shape.batch * shape.inSize * shape.inSize, shape.channels});
    launch("start the gradient of the pooling", stream, tiling.blocks(), tiling.threads(), poolSumsKernel<T>,
           shape, tiling, tensors, affine, mean, dz, scratch);
}

template <typename T>
void meanPool(cudaStream_t stream, Pooling shape, const T* x, T* y) {
    launch("start the mean of pixels", stream, blocksOf(shape, 1), blockThreads, meanPoolKernel<T>, shape, x,
           y);
}

template <typename T>
void meanPoolGradient(cudaStream_t stream, Pooling shape, const T* dy, T* dx) {
    launch("start the gradient of the mean of pixels", stream, blocksOf(shape, shape.inSize), blockThreads,
           meanPoolGradientKernel<T>, shape, dy, dx);
}

#define DLPERF_INSTANTIATE(T)                                                                                \
    template void normReluMaxPool(cudaStream_t, Pooling, const T*, Affine, T*, std::uint8_t*);               \
    template void maxPoolReluSums(cudaStream_t, Pooling, PoolGradient<T>, Affine, const float*, T*, float*); \
    template void meanPool(cudaStream_t, Pooling, const T*, T*);                                             \
    template void meanPoolGradient(cudaStream_t, Pooling, const T*, T*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
