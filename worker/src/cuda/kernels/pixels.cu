// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"

#include "cuda/kernels/launch.h"
#include "cuda/kernels/math.h"
#include "cuda/kernels/pack.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t blockThreads = 256;

// One group of four pixels.
template <typename T>
__global__ void pixelsKernel(Images images, const std::uint8_t* pixels, const std::uint8_t* flips, T* y) {
    // Counted in 32 bits: a division in 64 costs more than all the rest.
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    const auto groups = static_cast<unsigned>(images.width / pixelGroup);
    const unsigned line = index / groups;
    const unsigned image = line / static_cast<unsigned>(images.height);
    if (image >= images.batch) {
        return;
    }
    const bool flipped = flips[image] != 0;
    const std::size_t from = line * groups + sourceGroup(index % groups, groups, flipped);

    std::uint32_t words[3];
    DLPERF_UNROLL
    for (int i = 0; i < 3; ++i) {
        words[i] = reinterpret_cast<const std::uint32_t*>(pixels)[3 * from + static_cast<std::size_t>(i)];
    }

    DLPERF_UNROLL
    for (int first = 0; first < pixelGroup; first += 2) {
        Floats values{};
        DLPERF_UNROLL
        for (int pixel = 0; pixel < 2; ++pixel) {
            DLPERF_UNROLL
            for (int colour = 0; colour < 3; ++colour) {
                // Both are read and one is taken, so that the words stay in registers.
                const int straight = 3 * sourcePixel(first + pixel, false) + colour;
                const int mirrored = 3 * sourcePixel(first + pixel, true) + colour;
                const std::uint32_t left = words[straight / 4] >> (straight % 4 * 8) & 0xFF;
                const std::uint32_t right = words[mirrored / 4] >> (mirrored % 4 * 8) & 0xFF;
                values[4 * pixel + colour] =
                    normalizedPixel(static_cast<float>(flipped ? right : left), colour);
            }
        }
        const std::size_t pixel =
            static_cast<std::size_t>(index) * pixelGroup + static_cast<std::size_t>(first);
        storeFloats(y + pixel * 4, values);
    }
}

}  // namespace

template <typename T>
void normalizePixels(cudaStream_t stream, Images images, const std::uint8_t* pixels,
                     const std::uint8_t* flips, T* y) {
    const std::size_t groups = images.batch * images.height * (images.width / pixelGroup);
    launch("start the normalisation of pixels", stream, blocksFor(groups, blockThreads), blockThreads,
           pixelsKernel<T>, images, pixels, flips, y);
}

#define DLPERF_INSTANTIATE(T) \
    template void normalizePixels(cudaStream_t, Images, const std::uint8_t*, const std::uint8_t*, T*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
