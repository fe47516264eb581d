// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// Puts a graph together, operation by operation; all compute in fp32. Channels are innermost in the memory
// of every tensor. Functions throw Failure(Backend) where cuDNN refuses.
class GraphBuilder {
public:
    // One of the builder's tensors.
    enum class Tensor : std::size_t {};

    explicit GraphBuilder(ElementType type) : type_(type) {}

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

    ElementType type_;
    std::int64_t nextVirtual_ = 1000;
    std::vector<GraphTensor> real_;
    std::vector<Descriptor> tensors_;
    std::vector<Descriptor> settings_;  // how operations compute
    std::vector<Descriptor> operations_;
};

}  // namespace dlperf::worker::cuda::dnn
