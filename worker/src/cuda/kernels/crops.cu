// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"
#include "cuda/kernels/launch.h"
#include "data/crop.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t blockThreads = 128;

// A block makes one line of an image.
__global__ void cropsKernel(int size, const DecodedImage* images, std::uint8_t* pixels) {
    const auto side = static_cast<unsigned>(size);
    const DecodedImage image = images[blockIdx.x / side];
    if (image.pixels == nullptr) {
        return;
    }
    const Crop& crop = image.crop;
    const Tap row = tapAt(crop.top, crop.height, size, image.height, static_cast<int>(blockIdx.x % side));
    const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
    const std::uint8_t* const upper = image.pixels + static_cast<std::size_t>(row.first) * stride;
    const std::uint8_t* const lower = image.pixels + static_cast<std::size_t>(row.second) * stride;
    std::uint8_t* const line = pixels + static_cast<std::size_t>(blockIdx.x) * side * 3;
    for (unsigned x = threadIdx.x; x < side; x += blockDim.x) {
        const Tap column = tapAt(crop.left, crop.width, size, image.width, static_cast<int>(x));
        DLPERF_UNROLL
        for (int colour = 0; colour < 3; ++colour) {
            line[3 * x + static_cast<unsigned>(colour)] =
                interpolated(upper, lower, row.share, column, colour);
        }
    }
}

}  // namespace

void resizeCrops(cudaStream_t stream, std::size_t batch, int size, const DecodedImage* images,
                 std::uint8_t* pixels) {
    launch("start the scaling of crops", stream, batch * static_cast<std::size_t>(size), blockThreads,
           cropsKernel, size, images, pixels);
}

}  // namespace dlperf::worker::cuda
