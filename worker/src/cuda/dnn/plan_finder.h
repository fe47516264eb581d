// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_cache.h"
#include "cuda/dnn/target.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda::dnn {

enum class PlanSearch {
    Fastest,  // of those that are timed, and kept
    First,    // that works: none is timed, and none kept
};

// As DLPERF_WORKER_PLANS says. Throws Failure(Usage) of what is neither nothing nor 0: fewer plans than usual
// would be kept for later runs, as if they were the fastest.
PlanSearch planSearchFrom(const std::optional<std::string>& text);

// The plans that are fastest on this GPU, found once and kept on disk, and the memory that they compute in:
// one for all, as one stream executes them one after the other.
class PlanFinder {
public:
    // The stream outlives this. Throws Failure(Backend).
    explicit PlanFinder(const Stream& stream, PlanSearch search = PlanSearch::Fastest);

    const Target& target() const { return target_; }
    const PlanCache& cache() const { return cache_; }
    // A choice that follows from the plans' times, saved at once: whoever waits may lose patience. Nothing
    // where they are not timed.
    void remember(const std::string& key, const EngineChoice& choice);

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
    PlanSearch search_;
    std::size_t workspaceBytes_ = 0;  // the most that a plan needs
    DeviceMemory workspace_;
};

}  // namespace dlperf::worker::cuda::dnn
