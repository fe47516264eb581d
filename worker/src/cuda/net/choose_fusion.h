// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/operators/operators.h"
#include "net/resnet50.h"

namespace dlperf::worker::cuda {

// All fused passes that the network has a use for, each once. The stem is not among them: nothing normalised
// is in front of it, and cuDNN has no plan that makes statistics of so few input channels.
std::vector<Operators::Wanted> wantedFused(const ResNet50& net, int batch);

// A strategy for every convolution of the network, in its order.
using FusionStrategies = std::vector<FusionStrategy>;

// Ways to fuse the whole network that are worth trying, each different from those before it; the first fuses
// nothing, if there is more than one.
using FusionCandidates = std::map<FusionPolicy, FusionStrategies>;

// By the operators' policy, of which Measured leaves all three to choose from. What is faster for each
// convolution alone is measured here, for each shape once, with memory that is free again afterwards. With
// frozen statistics, and in types other than fp16, nothing is fused. The operators are prepared for what is
// not fused.
FusionCandidates fusionCandidates(const ResNet50& net, const Problem& problem, Operators& operators,
                                  cudaStream_t stream);

struct FusionChoice {
    FusionPolicy policy = FusionPolicy::Never;  // of the candidates
    std::string text;                           // for the log: the choice and why
};

// What times the passes of a network.
struct PassBenchmark {
    // Makes what start() needs; throws Failure(Memory) where there is no room for it.
    std::function<void()> prepare;
    // Starts the passes forward and back; can be captured.
    std::function<void(const FusionStrategies&)> start;
};

// The candidate with which the network's passes forward and back are fastest together: what lies in the cache
// and what overlaps is another thing there than for a convolution alone. The benchmark is not needed where an
// earlier choice is remembered. It is what measured faster for each convolution where there is no memory, or
// where the node has more processes than this one sees GPUs: another that shares the GPU needs its memory.
FusionChoice chooseFusion(const FusionCandidates& candidates, const ResNet50& net, const Problem& problem,
                          Operators& operators, const PassBenchmark& benchmark);

}  // namespace dlperf::worker::cuda
