// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_cache.h"
#include "cuda/dnn/target.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda::dnn {

// The plans that are fastest on this GPU, found once and kept on disk, and the memory that they compute in:
// one for all, as one stream executes them one after the other.
class PlanFinder {
public:
    // `plans`: how many are timed for each graph, if not SearchLimits' number; with 0 the first that works is
    // taken and not kept. The stream outlives this. Throws Failure(Backend).
    explicit PlanFinder(const Stream& stream, std::optional<std::size_t> plans = {});

    const Target& target() const { return target_; }
    // It is saved at once: whoever waits may lose patience.
    PlanCache& cache() { return cache_; }

    // Throws Failure(Backend) where cuDNN has none, and Failure(Memory).
    ExecutionPlan find(const Graph& graph);
    // Nothing where cuDNN has none for this GPU, which the cache keeps too: cuDNN takes long to find that
    // out.
    std::optional<ExecutionPlan> findIfAny(const Graph& graph);
    // To be called after find() and before execute(); what was started before is done.
    void allocateWorkspace();
    void execute(const ExecutionPlan& plan, std::span<const Binding> bindings) const;

private:
    Handle handle_;
    Target target_;
    PlanCache cache_;
    std::optional<std::size_t> plans_;
    std::size_t workspaceBytes_ = 0;  // the most that a plan needs
    DeviceMemory workspace_;
};

}  // namespace dlperf::worker::cuda::dnn
