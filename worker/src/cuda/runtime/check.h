// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace dlperf::worker::cuda {

// Throws Failure(Memory) where the device has too little of it, Failure(Backend) for all else that CUDA
// refuses; `what` says what was tried: "start the pooling".
void check(cudaError_t result, const char* what);

// After a kernel's launch.
inline void checkLaunch(const char* what) {
    check(cudaGetLastError(), what);
}

}  // namespace dlperf::worker::cuda
