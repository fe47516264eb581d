// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_finder.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// The fully connected layer by cuBLAS.
class CublasGemm {
public:
    // The stream outlives this. Throws Failure(Backend, Memory).
    CublasGemm(const Stream& stream, Precision type);

    // As Operators::run().
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) const;
    // "cuBLAS 13.1.0"
    std::string nameAndVersion() const;

private:
    struct Matrix;
    void multiply(const Matrix& a, const Matrix& b, const Matrix& c, int inner) const;

    struct Destroy {
        void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
    };
    Precision type_;
    DeviceMemory workspace_;  // its own: cuBLAS could not take any while a graph is recorded
    std::unique_ptr<cublasContext, Destroy> handle_;
};

// Convolutions by cuDNN, each by the plan that is fastest on this GPU, and the fully connected layer by
// cuBLAS. Choices are remembered beside the plans.
class CudnnOperators final : public Operators {
public:
    // The stream outlives this. Throws Failure(Backend).
    CudnnOperators(const Stream& stream, Precision type, FusionPolicy policy = FusionPolicy::Measured,
                   dnn::PlanSearch search = dnn::PlanSearch::Fastest);

    void prepare(std::span<const Wanted> wanted) override;
    bool has(const Wanted& one) const override { return plans_.contains(one); }
    void run(const Wanted& one, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    FusionPolicy policy() const override { return policy_; }
    double seconds(const std::function<void()>& start, std::size_t sets) override;
    std::optional<int> remembered(const std::string& key) const override;
    void remember(const std::string& key, int choice) override;
    std::string libraries() const override;

private:
    Precision type_;
    dnn::PlanFinder finder_;
    CublasGemm linear_;
    FusionPolicy policy_;
    Stopwatch stopwatch_;
    std::map<Wanted, dnn::ExecutionPlan> plans_;
};

}  // namespace dlperf::worker::cuda
