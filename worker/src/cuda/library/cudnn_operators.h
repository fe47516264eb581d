// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "cuda/dnn/element_type.h"
#include "cuda/library/cublas_gemm.h"
#include "cuda/library/cudnn_fused_operators.h"
#include "cuda/library/plan_finder.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// Convolutions by cuDNN, each by the plan that is fastest on this GPU, and the fully connected layer by
// cuBLAS.
class CudnnOperators final : public Operators {
public:
    // The stream outlives this. Throws Failure(Backend).
    CudnnOperators(const Stream& stream, dnn::ElementType type, FusionPolicy policy = FusionPolicy::Measured);

    void prepare(std::span<const Wanted> wanted) override;
    void run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    FusedOperators* fused() override { return fused_ ? &*fused_ : nullptr; }
    std::string libraries() const override;

private:
    dnn::Graph graphOf(Pass pass, const dnn::ConvolutionShape& shape) const;

    dnn::ElementType type_;
    PlanFinder finder_;
    CublasGemm linear_;
    std::map<std::pair<Pass, dnn::ConvolutionShape>, dnn::ExecutionPlan> plans_;
    std::optional<CudnnFusedOperators> fused_;  // only of fp16, as cuDNN has no others
};

}  // namespace dlperf::worker::cuda
