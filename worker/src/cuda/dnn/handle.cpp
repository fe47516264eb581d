// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/handle.h"

#include "base/failure.h"
#include "cuda/dnn/check.h"
#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// cuDNN says of a missing GPU only that it was not initialised, so CUDA, which knows why, is asked first.
void requireDevice() {
    int count = 0;
    cuda::check(cudaGetDeviceCount(&count), "find a GPU");
    if (count == 0) {
        throw Failure(ExitCode::Backend, "CUDA finds no GPU on this machine");
    }
}

}  // namespace

Handle::Handle(cudaStream_t stream) : stream_(stream) {
    requireDevice();
    cudnnHandle_t handle = nullptr;
    check(cudnnCreate(&handle), "start on this GPU");
    handle_.reset(handle);
    check(cudnnSetStream(handle, stream), "use the stream");
}

}  // namespace dlperf::worker::cuda::dnn
