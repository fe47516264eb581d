// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// The three operations of a convolution, for every element type. All throw Failure(Backend) where cuDNN
// refuses the graph; whether it has a plan for it is another matter.

// Output = Input convolved with Filter.
Graph forwardGraph(const Target& target, ElementType type, const ConvolutionShape& shape);
// InputGradient of OutputGradient and Filter.
Graph dataGradientGraph(const Target& target, ElementType type, const ConvolutionShape& shape);
// FilterGradient, in the element type, of Input and OutputGradient.
Graph weightGradientGraph(const Target& target, ElementType type, const ConvolutionShape& shape);

}  // namespace dlperf::worker::cuda::dnn
