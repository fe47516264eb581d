// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "cuda/dnn/handle.h"
#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_cache.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// Plans that are fastest on this GPU, found once and remembered on disk, and the memory that they compute
// in: one for all, as they are executed one after the other in one stream.
class PlanFinder {
public:
    // The stream outlives this. Throws Failure(Backend).
    explicit PlanFinder(const Stream& stream);

    const dnn::Target& target() const { return target_; }
    // What is remembered is saved at once, as whoever waits may lose patience.
    dnn::PlanCache& cache() { return cache_; }

    // Throws Failure(Backend) where cuDNN has none, and Failure(Memory).
    dnn::ExecutionPlan find(const dnn::Graph& graph);
    // Nothing where cuDNN has none for this GPU, which is remembered too: to find that out takes it long.
    std::optional<dnn::ExecutionPlan> findIfAny(const dnn::Graph& graph);
    // To be called after find() and before execute(); what was started before is done.
    void allocateWorkspace();
    void execute(const dnn::ExecutionPlan& plan, std::span<const dnn::Binding> bindings) const;

private:
    dnn::Handle handle_;
    dnn::Target target_;
    dnn::PlanCache cache_;
    std::size_t workspaceBytes_ = 0;  // the most that a plan needs
    DeviceMemory workspace_;
};

}  // namespace dlperf::worker::cuda
