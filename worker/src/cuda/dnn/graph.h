// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
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

// The tensors of all our graphs, by the numbers under which cuDNN knows them. What is said to be per channel
// is a vector of fp32, unless a graph says otherwise.
enum class Uid : std::int64_t {
    Input = 1,  // of a convolution, or its gradient; or what the normalisation in front is applied to
    Filter,     // or its gradient
    Output,     // or its gradient
    Sum,        // of the output, per channel
    SquareSum,
    Shortcut,       // like Input: what is added behind the normalisation, or what its own is applied to
    Activated,      // like Input: the ReLU's output
    OtherGradient,  // like Input: a gradient that is added before the ReLU's
    ReluGradient,   // like Input: the gradient of the normalisation's output
    // Of the normalisation in front, per channel of Input.
    FoldedScale,  // in the element type: the normalisation is FoldedScale * Input + FoldedBias
    FoldedBias,
    Mean,
    InverseDeviation,  // 1 / sqrt(variance + epsilon)
    Scale,
    Bias,
    ScaleGradient,
    BiasGradient,
    GradientFactor,  // Input's gradient is GradientFactor * ReluGradient + InputFactor * Input + Offset
    InputFactor,
    Offset,
};

// The number of a vector of the shortcut's normalisation, for that of the same vector in front.
constexpr Uid ofShortcut(Uid uid) {
    return static_cast<Uid>(static_cast<std::int64_t>(uid) + 100);
}

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

    // Sets the tensor that the pass computes of the other two, which are values or gradients.
    void convolve(Pass pass, const ConvolutionShape& shape, Tensor x, Tensor w, Tensor y);

    void binary(cudnnPointwiseMode_t mode, Tensor a, Tensor b, Tensor result);
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
    Tensor keep(std::int64_t uid, const Dimensions& dimensions, cudnnDataType_t type, bool isVirtual);
    // By cuDNN's names of an operation's attributes.
    using Places = std::initializer_list<std::pair<cudnnBackendAttributeName_t, Tensor>>;
    Descriptor& operation(cudnnBackendDescriptorType_t type, Places tensors);
    void pointwise(cudnnPointwiseMode_t mode, Places tensors);

    Precision type_;
    std::int64_t nextVirtual_ = 1000;
    std::vector<GraphTensor> real_;
    std::vector<Descriptor> tensors_;
    std::vector<Descriptor> settings_;  // how operations compute
    std::vector<Descriptor> operations_;
};

}  // namespace dlperf::worker::cuda::dnn
