// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/batch_norm.h"

namespace dlperf::worker::cuda {

// Channels are a multiple of 8. T is float, __half or __nv_bfloat16; all pointers are to the device,
// multiples of 16 bytes (of 8 for winners). "s" is sizeof(T): what a function must move is given in bytes.

// The largest of windows of 3 x 3, stride 2, padding 1; `winner`, a byte an output element, says which of
// the nine it was, the first among equals. Moves s an input element, s and 1 an output element.
template <typename T>
void maxPool(cudaStream_t stream, Pooling shape, const T* x, T* y, std::uint8_t* winner);

// The same of relu(affine(x)), which is then never stored. Moves as maxPool().
template <typename T>
void normReluMaxPool(cudaStream_t stream, Pooling shape, const T* x, Affine affine, T* y,
                     std::uint8_t* winner);

// dx = the gradient of the windows' input for that of their output, dy + dyShortcut (which may be null).
// Behind normReluMaxPool() it is that of the ReLU's output: normReluSums() takes it with a ReluMask
// without mask. Moves s an input element, 2 s and 1 an output element.
template <typename T>
void maxPoolGradient(cudaStream_t stream, Pooling shape, const T* dy, const T* dyShortcut,
                     const std::uint8_t* winner, T* dx);

// y = mean of each image's pixels, batch x channels. Moves s an input element.
template <typename T>
void meanPool(cudaStream_t stream, Pooling shape, const T* x, T* y);

// dx = dy / pixels for every pixel. Moves s an input element.
template <typename T>
void meanPoolGradient(cudaStream_t stream, Pooling shape, const T* dy, T* dx);

}  // namespace dlperf::worker::cuda
