// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cuda/dnn/choose.h"
#include "cuda/dnn/handle.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/stopwatch.h"

namespace dlperf::worker::cuda::dnn {

// Memory for all tensors of a graph, filled with noise: numbers of moderate size in every element type,
// since a GPU is faster on zeros.
class ScratchTensors {
public:
    // The filling is started in the stream. Throws Failure(Memory) where they do not fit.
    ScratchTensors(const Graph& graph, cudaStream_t stream);
    const std::vector<Binding>& bindings() const { return bindings_; }

private:
    DeviceMemory memory_;
    std::vector<Binding> bindings_;
};

// Times plans by executing them on the GPU.
class EventTimer : public PlanTimer {
public:
    // `bindings` are for all tensors of the plans' graph, which are overwritten; `workspaceBytes` are at
    // `workspace`. All of them and the handle outlive the timer.
    EventTimer(const Handle& handle, std::vector<Binding> bindings, void* workspace,
               std::size_t workspaceBytes);

    std::optional<double> seconds(const ExecutionPlan& plan) override;

private:
    double measure(const ExecutionPlan& plan);

    const Handle& handle_;
    std::vector<Binding> bindings_;
    void* workspace_ = nullptr;
    std::size_t workspaceBytes_ = 0;
    Stopwatch stopwatch_;
};

}  // namespace dlperf::worker::cuda::dnn
