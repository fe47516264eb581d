// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/dnn/graph.h"
#include "cuda/dnn/plan.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::dnn {

// The graph of each pass, and where its tensors are. The graphs throw Failure(Backend) where cuDNN refuses
// them; whether it has a plan is another matter. It has plans for fused passes only for fp16, on sm_80 and
// sm_90; for those behind a block's end only on sm_90, for convolutions of 1x1 pixels without stride.

Graph convolutionGraph(const Target& target, Pass pass, Precision type, const ConvolutionShape& shape);
std::vector<Binding> bindingsOf(const LayerTensors& tensors);

Graph fusedGraph(const Target& target, const FusedOperators::Wanted& one);
std::vector<Binding> fusedBindings(const Graph& graph, const ConvolutionShape& shape,
                                   const FusedTensors& tensors);

}  // namespace dlperf::worker::cuda::dnn
