// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuda/kernels/loss_scale_state.h"
#include "cuda/kernels/sgd_math.h"

namespace dlperf::worker::cuda {

// Parameters that lie in one piece: any number of tensors, padding among them included. Each pointer is to
// `count` elements on the device, a multiple of 16 bytes. G is float or T, T float, __half or __nv_bfloat16.
template <typename G, typename T>
struct SgdTensors {
    const G* gradients;
    float* momentum;
    float* weights;
    T* copy;  // set to the weights, rounded; null: none
};

// What a step reads of the device's memory.
struct SgdInputs {
    const SgdControl* control;
    const LossScaleState* lossScale;  // gradients are divided by its scale; null: by 1
    const int* overflow;              // not 0: the step is left out as a whole; null: never
};

// One step of stochastic gradient descent. Moves sizeof(G) + 16 bytes an element, and sizeof(T) with a copy.
template <typename G, typename T>
void sgd(cudaStream_t stream, std::size_t count, SgdTensors<G, T> tensors, SgdInputs inputs);

}  // namespace dlperf::worker::cuda
