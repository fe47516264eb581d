// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "cuda/dnn/element_type.h"
#include "cuda/dnn/find_plan.h"
#include "cuda/dnn/handle.h"
#include "cuda/memory.h"
#include "cuda/products.h"
#include "cuda/products/linear_products.h"

namespace dlperf::worker::cuda {

/// Convolutions by cuDNN, each by the plan that is fastest on this GPU, and the fully connected layer by
/// cuBLAS.
class LibraryProducts final : public Products {
public:
    /// The stream outlives this. Throws Failure(Backend).
    LibraryProducts(const Stream& stream, dnn::ElementType type);

    void prepare(std::span<const Wanted> wanted) override;
    void run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    std::string libraries() const override;

private:
    dnn::Graph graphOf(Pass pass, const dnn::ConvolutionShape& shape) const;

    dnn::ElementType type_;
    dnn::Handle handle_;
    dnn::Target target_;
    LinearProducts linear_;
    std::map<std::pair<Pass, dnn::ConvolutionShape>, dnn::ExecutionPlan> plans_;
    DeviceMemory workspace_;
};

}  // namespace dlperf::worker::cuda
