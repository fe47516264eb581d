// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <memory>
#include <string>

#include "cuda/dnn/descriptor.h"

namespace dlperf::worker::cuda::dnn {

// What graphs and plans are made for: a GPU that is there, or one that is only described. Copies are cheap.
class Target {
public:
    // The current device, which works in one stream; that outlives the target. Whoever made it current has
    // seen that there is one: cuDNN would only say that it was not initialised. Throws Failure(Backend).
    explicit Target(cudaStream_t stream);
    // Throws Failure(Backend) where cuDNN does not accept the description.
    explicit Target(const std::string& deviceJson);

    // Of a GPU that is there.
    cudnnHandle_t handle() const { return handle_.get(); }

    // Tell one of cuDNN's objects, before it is finalised, what it is for: where the GPU is there, and where
    // it is described.
    void setHandle(Descriptor& object, cudnnBackendAttributeName_t name) const {
        if (handle_) {
            object.set(name, handle());
        }
    }
    void setDescription(Descriptor& object, cudnnBackendAttributeName_t name) const {
        if (description_) {
            object.set(name, *description_);
        }
    }

private:
    std::shared_ptr<cudnnContext> handle_;
    std::shared_ptr<const Descriptor> description_;
};

}  // namespace dlperf::worker::cuda::dnn
