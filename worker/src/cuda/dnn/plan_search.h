// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cuda/dnn/graph.h"
#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_cache.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// A way to compute a graph that cuDNN proposes; whether a plan can be made of it is seen by trying.
struct Candidate {
    EngineChoice choice;
    bool deterministic = true;       // the same input gives the same bits
    bool compilesAtRunTime = false;  // its plan takes seconds, not milliseconds, to make
};

// What cuDNN proposes for a graph, each once: its two heuristics, then what it falls back to, the most
// promising first, but all that are deterministic before those that are not. Left out are engines that
// compute less exactly than the graph's element type promises: all that convert inputs to a smaller type or
// add up in one, and for Fp32 those of tensor cores. Empty where nothing is left.
std::vector<Candidate> candidatesFor(const Target& target, const Graph& graph);

// Tells how long plans take: seconds of one execution, less exactly where they are more than `hopeless`;
// nothing where the plan fails.
using PlanTimer = std::function<std::optional<double>(const ExecutionPlan& plan, double hopeless)>;

// How far to look for the fastest plan.
struct SearchLimits {
    std::size_t workspaceBytes = std::size_t{1} << 30;  // plans that need more are not considered
    std::size_t plans = 64;         // made and timed at most, of the candidates in their order
    std::size_t compiledPlans = 4;  // the same, where there are only such as compile at run time
    int timings = 5;                // of each plan, of which the median counts; 0 takes the first that works
};

struct PlanTime {
    double seconds = 0;
    std::size_t workspaceBytes = 0;
};

// Index of the fastest; of all that take at most one percent longer, the one with the smallest workspace, of
// these the fastest, of these the first. Nothing where there is none.
std::optional<std::size_t> fastest(std::span<const PlanTime> times);

// The fastest of the deterministic candidates' plans that keep to the limits and do not fail; only where
// there is none, of the others', which are behind them. Nothing where all fail.
std::optional<ExecutionPlan> choosePlan(const Target& target, const Graph& graph,
                                        std::span<const Candidate> candidates, const SearchLimits& limits,
                                        const PlanTimer& timer);

// The plan that the cache names, or else the fastest, which the cache then remembers if it was timed. A
// cached plan that can no longer be made is forgotten; one that needs more workspace than allowed now is
// chosen anew. The caller saves the cache. Throws Failure(Backend) where cuDNN has no plan for the graph
// within the limits.
ExecutionPlan findPlan(const Target& target, const Graph& graph, const SearchLimits& limits,
                       const PlanTimer& timer, PlanCache& cache);

}  // namespace dlperf::worker::cuda::dnn
