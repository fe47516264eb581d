// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/dnn/engine_choice.h"
#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// A way to compute a graph that cuDNN proposes; whether a plan can be made of it is seen by trying.
struct Candidate {
    EngineChoice choice;
    bool deterministic = true;       // the same input gives the same bits
    bool compilesAtRunTime = false;  // its plan takes seconds, not milliseconds, to make
};

// What cuDNN proposes for a graph, each once: its two heuristics, then what it falls back to, the most
// promising first, but all that are deterministic before those that are not. Left out are engines that
// compute less exactly than the graph's element type promises: all that convert inputs to a smaller type or
// add up in one, and for Fp32 those of tensor cores. Empty where nothing is left.
std::vector<Candidate> candidatesFor(const Target& target, const Graph& graph);

}  // namespace dlperf::worker::cuda::dnn
