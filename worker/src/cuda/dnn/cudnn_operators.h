// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/plan_cache.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda::dnn {

enum class PlanSearch {
    Fastest,  // of those that are timed, and kept
    First,    // that works: none is timed, and none kept
};

// As DLPERF_WORKER_PLANS says. Throws Failure(Usage) of what is neither nothing nor 0: fewer plans than usual
// would be kept for later runs, as if they were the fastest.
PlanSearch planSearchFrom(const std::optional<std::string>& text);

}  // namespace dlperf::worker::cuda::dnn

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

// Convolutions by cuDNN, each by the plan that is fastest on this GPU, found once and kept on disk, and the
// fully connected layer by cuBLAS. Choices are remembered beside the plans.
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
    // Throws Failure(Backend) where cuDNN has no plan, and Failure(Memory).
    dnn::ExecutionPlan find(const dnn::Graph& graph);
    // Nothing where cuDNN has none for this GPU, which the cache keeps too: cuDNN takes long to find that
    // out.
    std::optional<dnn::ExecutionPlan> findIfAny(const dnn::Graph& graph);

    const Stream& stream_;
    Precision type_;
    FusionPolicy policy_;
    dnn::PlanSearch search_;
    dnn::Target target_;
    dnn::PlanCache cache_;
    CublasGemm linear_;
    Stopwatch stopwatch_;
    std::map<Wanted, dnn::ExecutionPlan> plans_;
    DeviceMemory workspace_;  // one for all plans, as the stream executes them one after the other
};

}  // namespace dlperf::worker::cuda
