// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/convert.h"

#include "cuda/kernels/element_walk.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/pack.h"

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

}  // namespace dlperf::worker::cuda
