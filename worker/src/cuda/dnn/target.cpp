// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/target.h"

#include "cuda/dnn/descriptor.h"

namespace dlperf::worker::cuda::dnn {

Target::Target(cudaStream_t stream) {
    cudnnHandle_t handle = nullptr;
    check(cudnnCreate(&handle), "start on this GPU");
    handle_.reset(handle, cudnnDestroy);
    check(cudnnSetStream(handle, stream), "use the stream");
}

Target::Target(const std::string& deviceJson) {
    Descriptor description(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    // With its terminating zero.
    description.setAll<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                             {deviceJson.c_str(), deviceJson.size() + 1});
    description.finalize("a described device");
    description_ = std::make_shared<const Descriptor>(std::move(description));
}

}  // namespace dlperf::worker::cuda::dnn
