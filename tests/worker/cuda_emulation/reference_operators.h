// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::emulation {

// Operators on the processor, as work of a stream of the emulated runtime; T is float, __half or
// __nv_bfloat16. Sums are float, results rounded to the nearest, ties to even.
template <typename T>
class ReferenceOperators final : public Operators {
public:
    explicit ReferenceOperators(cudaStream_t stream, std::unique_ptr<FusedOperators> fused = nullptr)
        : stream_(stream), fused_(std::move(fused)) {}

    // Also throws where it is called again, or for a shape whose sizes contradict each other.
    void prepare(std::span<const Wanted> wanted) override;
    // Also throw for tensors that are missing or not aligned.
    void run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    FusedOperators* fused() override { return fused_.get(); }
    std::string libraries() const override { return "reference operators"; }

private:
    cudaStream_t stream_;
    std::unique_ptr<FusedOperators> fused_;
    std::set<std::pair<Pass, dnn::ConvolutionShape>> prepared_;
    bool ready_ = false;
};

}  // namespace dlperf::worker::cuda::emulation
