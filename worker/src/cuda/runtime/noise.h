// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace dlperf::worker::cuda {

// Fills memory with numbers of moderate size in every element type, for timing: a GPU is faster on zeros. It
// is filled when this returns.
void fillWithNoise(std::byte* data, std::size_t bytes, cudaStream_t stream);

// Fills memory with `count` times the same number. It is filled when this returns.
void fillWith(float value, float* data, std::size_t count, cudaStream_t stream);

}  // namespace dlperf::worker::cuda
