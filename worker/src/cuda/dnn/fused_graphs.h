// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// Convolutions together with the normalisations before and behind them, so that normalised activations are
// never stored. cuDNN has plans for them only for fp16, on sm_80 and sm_90. All throw Failure(Backend) where
// cuDNN refuses the graph.

// What was added to the normalisation's output before the ReLU in front of a convolution.
enum class Shortcut {
    None,        // nothing: inside a block
    Stored,      // Shortcut: behind a block whose shortcut is its input
    Normalised,  // ShortcutInput, normalised: behind a block whose shortcut is a convolution
};

// Output = Input convolved with Filter; Sum and SquareSum of Output per channel.
Graph forwardStatisticsGraph(const Target& target, const ConvolutionShape& shape);

// The same of relu(Scale * Input + Bias), where Input is a convolution's raw output.
Graph normForwardStatisticsGraph(const Target& target, const ConvolutionShape& shape);

// The same across a block's border: what is convolved is relu(Scale * Input + Bias + the shortcut), which is
// also stored, as Activated. The shortcut is not None. cuDNN has plans only on sm_90, for convolutions of
// 1x1 pixels without stride, such as a block's first.
Graph borderForwardStatisticsGraph(const Target& target, const ConvolutionShape& shape, Shortcut shortcut);

// FilterGradient of relu(Scale * Input + Bias) and OutputGradient.
Graph normWeightGradientGraph(const Target& target, const ConvolutionShape& shape);

// What is in front of a convolution, seen from behind.
struct Front {
    Shortcut shortcut = Shortcut::None;
    bool addsGradient = false;  // OtherGradient, of what else reads the convolution's input, is added
};

// The data gradient of OutputGradient and Filter, passed through the ReLU and the normalisation in front of
// the convolution: ReluGradient, and per channel the gradients of scale and bias, and the three numbers with
// which NormInput's gradient is computed of ReluGradient and NormInput. Which elements the ReLU let pass is
// computed again of NormInput, Mean, InverseDeviation, NormScale and NormBias, and the shortcut's. Where the
// shortcut is normalised, what is written per channel is written for it too.
Graph dataNormGradientGraph(const Target& target, const ConvolutionShape& shape, const Front& front = {});

}  // namespace dlperf::worker::cuda::dnn
