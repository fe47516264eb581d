// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuda/kernels/loss_scale_state.h"

namespace dlperf::worker::cuda {

// Sets *overflow to 1 if any of `count` gradients (float, __half or __nv_bfloat16) is not finite, else
// leaves it as it is. Moves sizeof(G) an element. All pointers are to the device, that to gradients a
// multiple of 16 bytes.
template <typename G>
void findOverflow(cudaStream_t stream, const G* gradients, std::size_t count, int* overflow);

// After a step: `state` follows what *overflow says, which is then 0.
void updateLossScale(cudaStream_t stream, LossScaleState* state, int* overflow);

}  // namespace dlperf::worker::cuda
