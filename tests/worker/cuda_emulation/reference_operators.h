// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/operators/operators.h"
#include "cuda/runtime/graph.h"

namespace dlperf::worker::cuda::emulation {

// What a test says of fused passes, and learns of them.
struct FusedSetup {
    using Wanted = Operators::Wanted;

    FusionPolicy policy = FusionPolicy::Always;
    std::set<Pass> passes{Pass::ForwardStatistics,      Pass::NormForwardStatistics,
                          Pass::BlockForwardStatistics, Pass::DualForwardStatistics,
                          Pass::NormWeightGradient,     Pass::DataNormGradient,
                          Pass::BlockDataNormGradient,  Pass::DualDataNormGradient};
    // Seconds that work with these fused passes takes, which is then done once; empty: as long as it takes
    // here.
    std::function<double(const std::vector<Wanted>& started)> clock;

    std::map<std::string, int> choices;  // what is remembered
    int timings = 0;
    std::map<Wanted, int> runs;
};

// Operators on the processor, as work of a stream of the emulated runtime; T is float, __half or
// __nv_bfloat16. Sums are float, results rounded to the nearest, ties to even.
template <typename T>
class ReferenceOperators final : public Operators {
public:
    // Without a setup nothing is fused.
    explicit ReferenceOperators(cudaStream_t stream, std::shared_ptr<FusedSetup> setup = nullptr)
        : stream_(stream), stopwatch_(stream), setup_(std::move(setup)) {}

    // Also throws for a shape whose sizes contradict each other.
    void prepare(std::span<const Wanted> wanted) override;
    bool has(const Wanted& one) const override { return prepared_.contains(one); }
    // Also throw for what was not prepared. Tensors that are missing or not aligned end the program.
    void run(const Wanted& one, const LayerTensors& tensors) override;
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) override;
    FusionPolicy policy() const override { return setup_ ? setup_->policy : FusionPolicy::Never; }
    double seconds(const std::function<void()>& start, std::size_t sets) override;
    std::optional<int> remembered(const std::string& key) const override;
    void remember(const std::string& key, int choice) override { setup_->choices[key] = choice; }
    std::string libraries() const override { return "reference operators"; }

private:
    cudaStream_t stream_;
    Stopwatch stopwatch_;
    std::shared_ptr<FusedSetup> setup_;
    std::set<Wanted> prepared_;
    std::vector<Wanted> started_;  // fused
    // By the test's clock, with the number of our own kernels: unfused, a network is told from a convolution.
    std::set<std::pair<std::vector<Wanted>, int>> timed_;
};

// The fused passes of fp16 in plain loops, as the graphs in dnn/convolution_graphs.cpp say: sums are float,
// and what is stored is rounded to fp16 before it is summed. What is convolved is rounded too, as tensor
// cores take it.
void computeFused(const Operators::Wanted& one, const LayerTensors& tensors);

}  // namespace dlperf::worker::cuda::emulation
