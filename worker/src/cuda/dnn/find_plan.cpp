// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/find_plan.h"

#include <string>
#include <utility>
#include <vector>

#include "base/failure.h"

namespace dlperf::worker::cuda::dnn {
namespace {

std::optional<ExecutionPlan> cachedPlan(const Target& target, const Graph& graph, const SearchLimits& limits,
                                        PlanCache& cache) {
    const std::optional<EngineChoice> choice = cache.find(graph.key());
    if (!choice) {
        return std::nullopt;
    }
    std::optional<ExecutionPlan> plan = ExecutionPlan::make(target, graph, *choice);
    if (!plan) {
        cache.forget(graph.key());
    }
    if (plan && plan->workspaceBytes() > limits.workspaceBytes) {
        return std::nullopt;
    }
    return plan;
}

// The reason why not even the first candidate is a plan, or what else is known.
[[noreturn]] void failWithout(const Target& target, const Graph& graph, const SearchLimits& limits,
                              const std::vector<Candidate>& candidates) {
    std::string reason = "it proposes none that is exact enough";
    if (!candidates.empty()) {
        reason = "none of " + std::to_string(candidates.size()) + " works within " +
                 std::to_string(limits.workspaceBytes >> 20) + " MiB of workspace";
        std::string first;
        if (!ExecutionPlan::make(target, graph, candidates.front().choice, &first)) {
            reason += "; " + first;
        }
    }
    throw Failure(ExitCode::Backend,
                  "cuDNN has no way to compute " + graph.key() + " on this GPU: " + reason);
}

}  // namespace

ExecutionPlan findPlan(const Target& target, const Graph& graph, const SearchLimits& limits, PlanTimer& timer,
                       PlanCache& cache) {
    if (std::optional<ExecutionPlan> plan = cachedPlan(target, graph, limits, cache)) {
        return std::move(*plan);
    }
    const std::vector<Candidate> candidates = candidatesFor(target, graph);
    std::optional<ExecutionPlan> plan = choosePlan(target, graph, candidates, limits, timer);
    if (!plan) {
        failWithout(target, graph, limits, candidates);
    }
    cache.remember(graph.key(), plan->choice());
    return std::move(*plan);
}

}  // namespace dlperf::worker::cuda::dnn
