// SPDX-License-Identifier: Apache-2.0
#include "cuda/runtime/check.h"

#include "base/failure.h"

namespace dlperf::worker::cuda {

void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) {
        return;
    }
    // What is told here is not to be found again by the next launch, which would be blamed for it.
    cudaGetLastError();
    if (result == cudaErrorMemoryAllocation) {
        throw Failure(ExitCode::Memory, std::string("the GPU's memory is too small to ") + what +
                                            "; use a smaller --batch-size or --image-size");
    }
    throw Failure(ExitCode::Backend, std::string("CUDA cannot ") + what + ": " + cudaGetErrorString(result));
}

}  // namespace dlperf::worker::cuda
