// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda/dnn/descriptor.h"
#include "cuda/dnn/element_type.h"
#include "cuda/operators/convolution_shape.h"

namespace dlperf::worker::cuda::dnn {

// The tensors of all our graphs, by the numbers under which cuDNN knows them. x, w and y are a convolution's
// input, filter and output. What is said to be per channel is a vector of fp32, unless a graph says
// otherwise.
enum class Uid : std::int64_t {
    Input = 1,
    Filter,
    Output,
    InputGradient,
    FilterGradient,
    OutputGradient,
    Scale,  // per input channel, in the element type: the input is relu(Scale * x + Bias)
    Bias,
    Sum,  // of y, per output channel
    SquareSum,
    NormInput,         // what the normalisation in front of the convolution was applied to
    Mean,              // of NormInput, per channel, as is all below
    InverseDeviation,  // 1 / sqrt(variance + epsilon)
    NormScale,
    NormBias,
    ReluGradient,  // like NormInput: the gradient of the normalisation's output
    NormScaleGradient,
    NormBiasGradient,
    GradientFactor,  // NormInput's gradient is GradientFactor * ReluGradient + InputFactor * NormInput +
                     // Offset
    InputFactor,
    Offset,
    OtherGradient,        // like NormInput: a gradient that is added before the ReLU's
    Shortcut,             // like NormInput: what was added to the normalisation's output before the ReLU
    Activated,            // like NormInput: the ReLU's output
    FoldedShortcutScale,  // as Scale and Bias: a normalised shortcut is this * ShortcutInput + the next
    FoldedShortcutBias,
    // As their namesakes, of the normalisation of a block's shortcut.
    ShortcutInput,
    ShortcutMean,
    ShortcutInverseDeviation,
    ShortcutScale,
    ShortcutBias,
    ShortcutScaleGradient,
    ShortcutBiasGradient,
    ShortcutGradientFactor,
    ShortcutInputFactor,
    ShortcutOffset,
};

// A tensor that a graph reads or writes in the device's memory, at an address that is a multiple of 16.
struct GraphTensor {
    Uid uid = Uid::Input;
    Dimensions dimensions{};
    cudnnDataType_t type = CUDNN_DATA_FLOAT;

    std::size_t bytes() const;
};

// Operations for which plans can be made. Copies share cuDNN's objects and are cheap.
class Graph {
public:
    // All that a plan for it depends on besides the device: "forward fp16 n256 c64 k64 in56 out56 r3 s1 p1".
    const std::string& key() const { return key_; }
    ElementType type() const { return type_; }
    const std::vector<GraphTensor>& tensors() const { return tensors_; }
    const Descriptor& descriptor() const { return parts_->back(); }

private:
    friend class GraphBuilder;
    Graph() = default;

    std::string key_;
    ElementType type_ = ElementType::Fp32;
    std::vector<GraphTensor> tensors_;
    std::shared_ptr<const std::vector<Descriptor>> parts_;  // the last one is the graph, of the others
};

}  // namespace dlperf::worker::cuda::dnn
