// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/dnn/choose.h"
#include "cuda/dnn/plan_cache.h"

namespace dlperf::worker::cuda::dnn {

// The plan that the cache names, or else the fastest, which the cache then remembers. A cached plan that can
// no longer be made is forgotten; one that needs more workspace than allowed now is chosen anew. The caller
// saves the cache. Throws Failure(Backend) where cuDNN has no plan for the graph within the limits.
ExecutionPlan findPlan(const Target& target, const Graph& graph, const SearchLimits& limits, PlanTimer& timer,
                       PlanCache& cache);

}  // namespace dlperf::worker::cuda::dnn
