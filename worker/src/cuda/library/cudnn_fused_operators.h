// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cuda/library/plan_finder.h"
#include "cuda/operators/fused_operators.h"
#include "cuda/runtime/stopwatch.h"

namespace dlperf::worker::cuda {

// cuDNN's fused convolutions, each by the plan that is fastest on this GPU. Choices are remembered beside
// the plans.
class CudnnFusedOperators final : public FusedOperators {
public:
    // Both outlive this.
    CudnnFusedOperators(PlanFinder& finder, const Stream& stream, FusionPolicy policy)
        : finder_(finder), stopwatch_(stream), policy_(policy) {}

    void prepare(std::span<const Wanted> wanted) override;
    bool has(const Wanted& one) const override { return plans_.contains(one); }
    void run(const Wanted& one, const FusedTensors& tensors) override;
    FusionPolicy policy() const override { return policy_; }
    double seconds(const std::function<void()>& start) override { return stopwatch_.seconds(start); }
    std::optional<int> remembered(const std::string& key) const override;
    void remember(const std::string& key, int choice) override;

private:
    PlanFinder& finder_;
    Stopwatch stopwatch_;
    FusionPolicy policy_;
    std::map<Wanted, dnn::ExecutionPlan> plans_;
};

}  // namespace dlperf::worker::cuda
