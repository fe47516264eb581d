// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/fused_operators.h"

namespace dlperf::worker::cuda {

// The graph that computes a fused pass. Throws Failure(Backend) where cuDNN refuses it.
dnn::Graph fusedGraph(const dnn::Target& target, const FusedOperators::Wanted& one);

// All of that graph's tensors.
std::vector<dnn::Binding> fusedBindings(const FusedOperators::Wanted& one, const FusedTensors& tensors);

}  // namespace dlperf::worker::cuda
