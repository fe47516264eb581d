// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included before a .cu file, this makes plain C++ of it: its kernels run on the host, block by block, the
// threads of a block in turns from barrier to barrier. It knows what our kernels use: no warp functions, no
// atomics, shared memory of fixed size. CUDA's headers are needed for the types, its libraries are not.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstddef>
#include <functional>

namespace dlperf::worker::cuda::emulation {

struct Index {
    unsigned x = 0;
};
inline Index thread, block, blockSize, gridSize;

// Ends the turn of the thread that runs.
void barrier();

// A kernel for threads [begin, end) of a block, one after the other.
using Kernel = std::function<void(unsigned begin, unsigned end)>;

// Runs `kernel` for every thread of every block.
void run(std::size_t blocks, std::size_t threads, const Kernel& kernel);

}  // namespace dlperf::worker::cuda::emulation

using std::isfinite;

// NOLINTBEGIN(bugprone-reserved-identifier): these are CUDA's words.
#define __CUDACC__
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)
#define __syncthreads ::dlperf::worker::cuda::emulation::barrier
#define threadIdx ::dlperf::worker::cuda::emulation::thread
#define blockIdx ::dlperf::worker::cuda::emulation::block
#define blockDim ::dlperf::worker::cuda::emulation::blockSize
#define gridDim ::dlperf::worker::cuda::emulation::gridSize
// NOLINTEND(bugprone-reserved-identifier)
