// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/pack.h"
#include "cuda/kernels/walks.h"

namespace dlperf::worker::cuda {
namespace {

template <typename From, typename To>
__global__ void __launch_bounds__(walkThreads) convertKernel(std::size_t count, const From* x, To* y) {
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    walkElements(
        count, thread, threads, [&](std::size_t at) { storeFloats(y + at, loadFloats(x + at)); },
        [&](std::size_t at) { fromFloat(toFloat(x[at]), y[at]); });
}

}  // namespace

template <typename From, typename To>
void convert(cudaStream_t stream, std::size_t count, const From* x, To* y) {
    launch("convert numbers", stream, walkBlocks(count), walkThreads, convertKernel<From, To>, count, x, y);
}

template void convert(cudaStream_t, std::size_t, const float*, float*);
template void convert(cudaStream_t, std::size_t, const float*, __half*);
template void convert(cudaStream_t, std::size_t, const float*, __nv_bfloat16*);
template void convert(cudaStream_t, std::size_t, const __half*, float*);
template void convert(cudaStream_t, std::size_t, const __nv_bfloat16*, float*);

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

namespace {

template <typename G, typename T>
__device__ void stepPack(const SgdTensors<G, T>& tensors, std::size_t at, float factor,
                         const SgdStep& control) {
    const Pack<G> gradients = loadPack(tensors.gradients + at);
    Floats weights = loadFloats(tensors.weights + at);
    Floats momentum = loadFloats(tensors.momentum + at);
    const Floats values = unpack(gradients);
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        const SgdElement after = sgdElement({weights[k], momentum[k]}, values[k], factor, control);
        weights[k] = after.weight;
        momentum[k] = after.momentum;
    }
    storeFloats(tensors.momentum + at, momentum);
    storeFloats(tensors.weights + at, weights);
    if (tensors.copy != nullptr) {
        storeFloats(tensors.copy + at, weights);
    }
}

template <typename G, typename T>
__device__ void stepElement(const SgdTensors<G, T>& tensors, std::size_t at, float factor,
                            const SgdStep& control) {
    const SgdElement after = sgdElement({tensors.weights[at], tensors.momentum[at]},
                                        toFloat(tensors.gradients[at]), factor, control);
    tensors.momentum[at] = after.momentum;
    tensors.weights[at] = after.weight;
    if (tensors.copy != nullptr) {
        fromFloat(after.weight, tensors.copy[at]);
    }
}

template <typename G, typename T>
__global__ void __launch_bounds__(walkThreads)
    sgdKernel(std::size_t count, SgdTensors<G, T> tensors, SgdInputs inputs) {
    if (inputs.overflow != nullptr && *inputs.overflow != 0) {
        return;
    }
    const SgdStep control = *inputs.control;
    const float factor =
        inputs.lossScale == nullptr ? control.gradientScale : control.gradientScale / inputs.lossScale->scale;
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    walkElements(
        count, thread, threads, [&](std::size_t at) { stepPack(tensors, at, factor, control); },
        [&](std::size_t at) { stepElement(tensors, at, factor, control); });
}

}  // namespace

template <typename G, typename T>
void sgd(cudaStream_t stream, std::size_t count, SgdTensors<G, T> tensors, SgdInputs inputs) {
    launch("start the optimizer", stream, walkBlocks(count), walkThreads, sgdKernel<G, T>, count, tensors,
           inputs);
}

template void sgd(cudaStream_t, std::size_t, SgdTensors<float, float>, SgdInputs);
template void sgd(cudaStream_t, std::size_t, SgdTensors<float, __half>, SgdInputs);
template void sgd(cudaStream_t, std::size_t, SgdTensors<float, __nv_bfloat16>, SgdInputs);
template void sgd(cudaStream_t, std::size_t, SgdTensors<__half, __half>, SgdInputs);
template void sgd(cudaStream_t, std::size_t, SgdTensors<__nv_bfloat16, __nv_bfloat16>, SgdInputs);

}  // namespace dlperf::worker::cuda
