// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <memory>

namespace dlperf::worker::cuda::dnn {

// cuDNN on the current device, working in one stream.
class Handle {
public:
    // The stream outlives the handle. Throws Failure(Backend) where there is no GPU or no fitting driver.
    explicit Handle(cudaStream_t stream);

    cudnnHandle_t get() const { return handle_.get(); }
    cudaStream_t stream() const { return stream_; }

private:
    struct Destroy {
        void operator()(cudnnHandle_t handle) const { cudnnDestroy(handle); }
    };
    std::unique_ptr<cudnnContext, Destroy> handle_;
    cudaStream_t stream_ = nullptr;
};

}  // namespace dlperf::worker::cuda::dnn
