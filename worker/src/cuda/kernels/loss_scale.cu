// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/loss_scale.h"

#include "cuda/kernels/element_walk.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/pack.h"

namespace dlperf::worker::cuda {
namespace {

template <typename G>
__global__ void __launch_bounds__(walkThreads)
    overflowKernel(const G* gradients, std::size_t count, int* overflow) {
    bool found = false;
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    walkElements(
        count, thread, threads,
        [&](std::size_t at) {
            const Floats values = loadFloats(gradients + at);
            DLPERF_UNROLL
            for (int k = 0; k < packSize; ++k) {
                found = found || !isfinite(values[k]);
            }
        },
        [&](std::size_t at) { found = found || !isfinite(toFloat(gradients[at])); });
    if (found) {
        *overflow = 1;  // whoever writes writes the same
    }
}

__global__ void updateKernel(LossScaleState* state, int* overflow) {
    *state = lossScaleAfter(*state, *overflow != 0);
    *overflow = 0;
}

}  // namespace

template <typename G>
void findOverflow(cudaStream_t stream, const G* gradients, std::size_t count, int* overflow) {
    launch("look for overflow", stream, walkBlocks(count), walkThreads, overflowKernel<G>, gradients, count,
           overflow);
}

void updateLossScale(cudaStream_t stream, LossScaleState* state, int* overflow) {
    launch("update the loss scale", stream, 1, 1, updateKernel, state, overflow);
}

template void findOverflow(cudaStream_t, const float*, std::size_t, int*);
template void findOverflow(cudaStream_t, const __half*, std::size_t, int*);
template void findOverflow(cudaStream_t, const __nv_bfloat16*, std::size_t, int*);

}  // namespace dlperf::worker::cuda
