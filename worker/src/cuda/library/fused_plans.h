// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/dnn/plan.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/fused_products.h"

namespace dlperf::worker::cuda {

/// The graph that computes a fused pass. Throws Failure(Backend) where cuDNN refuses it.
dnn::Graph fusedGraph(const dnn::Target& target, const FusedProducts::Wanted& one);

/// All of that graph's tensors.
std::vector<dnn::Binding> fusedBindings(const FusedProducts::Wanted& one, const FusedTensors& tensors);

}  // namespace dlperf::worker::cuda
