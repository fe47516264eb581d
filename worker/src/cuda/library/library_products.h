// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "cuda/dnn/element_type.h"
#include "cuda/library/library_fused_products.h"
#include "cuda/library/linear_products.h"
#include "cuda/library/plan_finder.h"
#include "cuda/operators/products.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

/// Convolutions by cuDNN, each by the plan that is fastest on this GPU, and the fully connected layer by
/// cuBLAS.
class LibraryProducts final : public Products {
public:
    /// The stream outlives this. Throws Failure(Backend).
    LibraryProducts(const Stream& stream, dnn::ElementType type,
                    FusionPolicy policy = FusionPolicy::Measured);

    void prepare(std::span<const Wanted> wanted) override;
    void run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    FusedProducts* fused() override { return fused_ ? &*fused_ : nullptr; }
    std::string libraries() const override;

private:
    dnn::Graph graphOf(Pass pass, const dnn::ConvolutionShape& shape) const;

    dnn::ElementType type_;
    PlanFinder finder_;
    LinearProducts linear_;
    std::map<std::pair<Pass, dnn::ConvolutionShape>, dnn::ExecutionPlan> plans_;
    std::optional<LibraryFusedProducts> fused_;  ///< only of fp16, as cuDNN has no others
};

}  // namespace dlperf::worker::cuda
