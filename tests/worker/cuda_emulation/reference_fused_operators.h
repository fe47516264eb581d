// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cuda/operators/operators.h"
#include "cuda/runtime/graph.h"

namespace dlperf::worker::cuda::emulation {

// What a test says of fused operators, and learns of them.
struct FusedSetup {
    using Wanted = FusedOperators::Wanted;

    FusionPolicy policy = FusionPolicy::Always;
    std::set<FusedPass> passes{FusedPass::ForwardStatistics,      FusedPass::NormForwardStatistics,
                               FusedPass::BlockForwardStatistics, FusedPass::DualForwardStatistics,
                               FusedPass::NormWeightGradient,     FusedPass::DataNormGradient,
                               FusedPass::BlockDataNormGradient,  FusedPass::DualDataNormGradient};
    // Seconds that work with these fused passes takes, which is then done once; empty: as long as it takes
    // here.
    std::function<double(const std::vector<Wanted>& started)> clock;

    std::map<std::string, int> choices;  // what is remembered
    int timings = 0;
    std::map<Wanted, int> runs;
};

// The fused passes in plain loops, as the graphs in fused_graphs.h say: sums are float, and what is stored
// is rounded to fp16 before it is summed. What is convolved is rounded too, as tensor cores take it.
class ReferenceFusedOperators final : public FusedOperators {
public:
    ReferenceFusedOperators(cudaStream_t stream, std::shared_ptr<FusedSetup> setup)
        : stream_(stream), stopwatch_(stream), setup_(std::move(setup)) {}

    void prepare(std::span<const Wanted> wanted) override;
    bool has(const Wanted& one) const override { return prepared_.contains(one); }
    // Also throws for what it does not have, and for tensors that are missing or not aligned.
    void run(const Wanted& one, const FusedTensors& tensors) override;
    FusionPolicy policy() const override { return setup_->policy; }
    double seconds(const std::function<void()>& start, std::size_t sets) override;
    std::optional<int> remembered(const std::string& key) const override;
    void remember(const std::string& key, int choice) override { setup_->choices[key] = choice; }

private:
    cudaStream_t stream_;
    Stopwatch stopwatch_;
    std::shared_ptr<FusedSetup> setup_;
    std::set<Wanted> prepared_;
    std::vector<Wanted> started_;
    // By the test's clock, with the number of our own kernels: unfused, a network is told from a convolution.
    std::set<std::pair<std::vector<Wanted>, int>> timed_;
};

}  // namespace dlperf::worker::cuda::emulation
