// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/dnn/graph.h"
#include "cuda/dnn/plan.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::dnn {

// The graph of a pass. Throws Failure(Backend) where cuDNN refuses it; whether it has a plan is another
// matter. It has plans for fused passes only for fp16, on sm_80 and sm_90; for those behind a block's end
// only on sm_90, for convolutions of 1x1 pixels without stride.
Graph convolutionGraph(const Target& target, const Operators::Wanted& one, Precision type);

// Where its tensors are.
std::vector<Binding> bindingsOf(const Graph& graph, const ConvolutionShape& shape,
                                const LayerTensors& tensors);

}  // namespace dlperf::worker::cuda::dnn
