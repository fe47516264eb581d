// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/options.h"
#include "cuda/dnn/descriptor.h"
#include "cuda/dnn/target.h"
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::dnn {

constexpr cudnnDataType_t dataTypeOf(Precision type) {
    if (type == Precision::Fp16) {
        return CUDNN_DATA_HALF;
    }
    return type == Precision::Bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

// Of the types that our graphs have.
constexpr std::size_t bytesOf(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

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
    Precision type() const { return type_; }
    const std::vector<GraphTensor>& tensors() const { return tensors_; }
    const Descriptor& descriptor() const { return parts_->back(); }

private:
    friend class GraphBuilder;
    Graph() = default;

    std::string key_;
    Precision type_ = Precision::Fp32;
    std::vector<GraphTensor> tensors_;
    std::shared_ptr<const std::vector<Descriptor>> parts_;  // the last one is the graph, of the others
};

// Puts a graph together, operation by operation; all compute in fp32. Channels are innermost in the memory of
// every tensor. Functions throw Failure(Backend) where cuDNN refuses.
class GraphBuilder {
public:
    // One of the builder's tensors.
    enum class Tensor : std::size_t {};

    explicit GraphBuilder(Precision type) : type_(type) {}

    // In the device's memory, in the graph's element type.
    Tensor tensor(Uid uid, const Dimensions& dimensions) {
        return tensor(uid, dimensions, dataTypeOf(type_));
    }
    Tensor tensor(Uid uid, const Dimensions& dimensions, cudnnDataType_t type);
    // fp32 in the device's memory, one number for each of `channels`.
    Tensor perChannel(Uid uid, std::int64_t channels) {
        return tensor(uid, {1, channels, 1, 1}, CUDNN_DATA_FLOAT);
    }
    // Only between two operations: it is never stored.
    Tensor between(const Dimensions& dimensions, cudnnDataType_t type);

    void forward(const ConvolutionShape& shape, Tensor x, Tensor w, Tensor y);
    void dataGradient(const ConvolutionShape& shape, Tensor dy, Tensor w, Tensor dx);
    void weightGradient(const ConvolutionShape& shape, Tensor x, Tensor dy, Tensor dw);

    void add(Tensor a, Tensor b, Tensor sum) { binary(CUDNN_POINTWISE_ADD, a, b, sum); }
    void subtract(Tensor a, Tensor b, Tensor difference) { binary(CUDNN_POINTWISE_SUB, a, b, difference); }
    void multiply(Tensor a, Tensor b, Tensor product) { binary(CUDNN_POINTWISE_MUL, a, b, product); }
    void relu(Tensor x, Tensor y);
    // dx is dy where x is above zero, else zero.
    void reluGradient(Tensor dy, Tensor x, Tensor dx);

    // Sums and sums of squares, per channel.
    void statistics(Tensor x, Tensor sum, Tensor squareSum);

    struct NormTensors {
        Tensor x{}, mean{}, inverseDeviation{}, scale{}, dy{};                              // read
        Tensor scaleGradient{}, biasGradient{}, gradientFactor{}, inputFactor{}, offset{};  // written
    };
    // The gradients of a normalisation's scale and bias, and what is needed to compute that of its input.
    void normGradient(const NormTensors& norm);

    // `operation` and `shape` make the graph's key.
    Graph finish(const Target& target, const std::string& operation, const ConvolutionShape& shape) &&;

private:
    Descriptor describe(std::int64_t uid, const Dimensions& dimensions, cudnnDataType_t type, bool isVirtual);
    Tensor keep(Descriptor&& tensor);
    const Descriptor& at(Tensor tensor) const { return tensors_[static_cast<std::size_t>(tensor)]; }
    Descriptor& pointwise(cudnnPointwiseMode_t mode);
    void binary(cudnnPointwiseMode_t mode, Tensor a, Tensor b, Tensor result);
    const Descriptor& convolution(const ConvolutionShape& shape);
    struct ConvolutionNames;
    void addConvolution(const ConvolutionNames& names, const ConvolutionShape& shape, Tensor x, Tensor w,
                        Tensor y);

    Precision type_;
    std::int64_t nextVirtual_ = 1000;
    std::vector<GraphTensor> real_;
    std::vector<Descriptor> tensors_;
    std::vector<Descriptor> settings_;  // how operations compute
    std::vector<Descriptor> operations_;
};

}  // namespace dlperf::worker::cuda::dnn
