// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <memory>
#include <string>

#include "cuda/dnn/descriptor.h"

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

// What graphs and plans are made for: a GPU that is there, or one that is only described. Copies are cheap.
class Target {
public:
    // The handle outlives the target and all that is made for it.
    explicit Target(const Handle& handle);
    // Throws Failure(Backend) where cuDNN does not accept the description.
    explicit Target(const std::string& deviceJson);

    // Tell one of cuDNN's objects, before it is finalised, what it is for.
    void applyToGraph(Descriptor& graph) const;
    void applyToHeuristics(Descriptor& heuristics) const;
    void applyToEngine(Descriptor& engine) const;
    void applyToPlan(Descriptor& plan) const;

private:
    const Handle* handle_ = nullptr;
    std::shared_ptr<const Descriptor> description_;
};

}  // namespace dlperf::worker::cuda::dnn
