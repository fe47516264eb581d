// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace dlperf::worker::cuda {

struct Images {
    std::size_t batch;
    std::size_t height;
    std::size_t width;  // a multiple of 4
};

// Decoded pixels as the first convolution takes them: `pixels` is batch x height x width x RGB; y (float,
// __half or __nv_bfloat16) has a fourth channel of zeros, values (pixel / 255 - mean) / deviation with
// ImageNet's constants. Images whose byte in `flips` is not 0 are mirrored; null: none. Pointers are to the
// device, `pixels` a multiple of 4 bytes and y of 16. Moves 3 bytes and 4 sizeof(T) a pixel.
template <typename T>
void normalizePixels(cudaStream_t stream, Images images, const std::uint8_t* pixels,
                     const std::uint8_t* flips, T* y);

}  // namespace dlperf::worker::cuda
