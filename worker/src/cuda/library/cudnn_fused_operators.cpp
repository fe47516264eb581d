// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/cudnn_fused_operators.h"

#include "base/failure.h"
#include "cuda/library/fused_plans.h"

namespace dlperf::worker::cuda {
void CudnnFusedOperators::prepare(std::span<const Wanted> wanted) {
    for (const Wanted& one : wanted) {
        std::optional<dnn::ExecutionPlan> plan = finder_.findIfAny(fusedGraph(finder_.target(), one));
        if (plan) {
            plans_.emplace(one, std::move(*plan));
        }
    }
    finder_.allocateWorkspace();
}

void CudnnFusedOperators::run(const Wanted& one, const FusedTensors& tensors) {
    const auto plan = plans_.find(one);
    if (plan == plans_.end()) {
        throw Failure(ExitCode::Internal, "a fused convolution was not prepared: " + one.shape.text());
    }
    finder_.execute(plan->second, fusedBindings(one, tensors));
}

// The cache keeps engines by their graph's key. A choice of ours is one without knobs, by a key of its own.

std::optional<int> CudnnFusedOperators::remembered(const std::string& key) const {
    const std::optional<dnn::EngineChoice> found = finder_.cache().find(key);
    if (!found) {
        return std::nullopt;
    }
    return static_cast<int>(found->engine);
}

void CudnnFusedOperators::remember(const std::string& key, int choice) {
    finder_.cache().remember(key, {choice, {}});
    finder_.cache().save();
}

}  // namespace dlperf::worker::cuda
