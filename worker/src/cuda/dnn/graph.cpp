// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/graph.h"

#include <iterator>
#include <utility>

namespace dlperf::worker::cuda::dnn {

std::size_t GraphTensor::bytes() const {
    return elementsOf(dimensions) * bytesOf(type);
}

namespace {

constexpr std::int64_t alignment = 16;

// Channels innermost, then columns, rows and images.
Dimensions stridesOf(const Dimensions& dimensions) {
    const std::int64_t channels = dimensions[1];
    const std::int64_t row = channels * dimensions[3];
    return {row * dimensions[2], 1, row, channels};
}

void setPair(Descriptor& descriptor, cudnnBackendAttributeName_t name, int value) {
    const std::array<std::int64_t, 2> both{value, value};
    descriptor.setAll<std::int64_t>(name, both);
}

}  // namespace

Descriptor GraphBuilder::describe(std::int64_t uid, const Dimensions& dimensions, cudnnDataType_t type,
                                  bool isVirtual) {
    const Dimensions strides = stridesOf(dimensions);
    Descriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, uid);
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
    tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment);
    tensor.setAll<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, dimensions);
    tensor.setAll<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, strides);
    tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, isVirtual);
    tensor.finalize("a tensor");
    return tensor;
}

GraphBuilder::Tensor GraphBuilder::keep(Descriptor&& tensor) {
    tensors_.push_back(std::move(tensor));
    return static_cast<Tensor>(tensors_.size() - 1);
}

GraphBuilder::Tensor GraphBuilder::tensor(Uid uid, const Dimensions& dimensions, cudnnDataType_t type) {
    real_.push_back({uid, dimensions, type});
    return keep(describe(static_cast<std::int64_t>(uid), dimensions, type, false));
}

GraphBuilder::Tensor GraphBuilder::between(const Dimensions& dimensions, cudnnDataType_t type) {
    return keep(describe(nextVirtual_++, dimensions, type, true));
}

const Descriptor& GraphBuilder::convolution(const ConvolutionShape& shape) {
    Descriptor& settings = settings_.emplace_back(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    settings.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    settings.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
    settings.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
    setPair(settings, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, shape.stride);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, shape.padding);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, shape.padding);
    settings.finalize("a convolution");
    return settings;
}

// cuDNN's names of one of the three operations and of its attributes.
struct GraphBuilder::ConvolutionNames {
    cudnnBackendDescriptorType_t type;
    cudnnBackendAttributeName_t settings, x, w, y, alpha, beta;
};

void GraphBuilder::addConvolution(const ConvolutionNames& names, const ConvolutionShape& shape, Tensor x,
                                  Tensor w, Tensor y) {
    const Descriptor& settings = convolution(shape);
    Descriptor& operation = operations_.emplace_back(names.type);
    operation.set(names.settings, settings);
    operation.set(names.x, at(x));
    operation.set(names.w, at(w));
    operation.set(names.y, at(y));
    operation.set(names.alpha, 1.0F);
    operation.set(names.beta, 0.0F);
    operation.finalize("a convolution's operation");
}

void GraphBuilder::forward(const ConvolutionShape& shape, Tensor x, Tensor w, Tensor y) {
    addConvolution(
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
        shape, x, w, y);
}

void GraphBuilder::dataGradient(const ConvolutionShape& shape, Tensor dy, Tensor w, Tensor dx) {
    addConvolution(
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
        shape, dx, w, dy);
}

void GraphBuilder::weightGradient(const ConvolutionShape& shape, Tensor x, Tensor dy, Tensor dw) {
    addConvolution(
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
        shape, x, dw, dy);
}

// The operation, which still lacks its tensors.
Descriptor& GraphBuilder::pointwise(cudnnPointwiseMode_t mode) {
    Descriptor& settings = settings_.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    settings.set(CUDNN_ATTR_POINTWISE_MODE, mode);
    settings.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    settings.finalize("a pointwise function");
    Descriptor& operation = operations_.emplace_back(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, settings);
    return operation;
}

void GraphBuilder::binary(cudnnPointwiseMode_t mode, Tensor a, Tensor b, Tensor result) {
    Descriptor& operation = pointwise(mode);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, at(a));
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, at(b));
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, at(result));
    operation.finalize("a pointwise operation");
}

void GraphBuilder::relu(Tensor x, Tensor y) {
    Descriptor& operation = pointwise(CUDNN_POINTWISE_RELU_FWD);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, at(x));
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, at(y));
    operation.finalize("a ReLU");
}

void GraphBuilder::reluGradient(Tensor dy, Tensor x, Tensor dx) {
    Descriptor& operation = pointwise(CUDNN_POINTWISE_RELU_BWD);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, at(dy));
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, at(x));
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, at(dx));
    operation.finalize("a ReLU's gradient");
}

void GraphBuilder::statistics(Tensor x, Tensor sum, Tensor squareSum) {
    Descriptor& operation = operations_.emplace_back(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM);
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT);
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, at(x));
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, at(sum));
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, at(squareSum));
    operation.finalize("statistics");
}

void GraphBuilder::normGradient(const NormTensors& norm) {
    Descriptor& operation = operations_.emplace_back(CUDNN_BACKEND_OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MATH_PREC, CUDNN_DATA_FLOAT);
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_X_DESC, at(norm.x));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MEAN_DESC, at(norm.mean));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC, at(norm.inverseDeviation));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC, at(norm.scale));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DY_DESC, at(norm.dy));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC, at(norm.scaleGradient));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC, at(norm.biasGradient));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC, at(norm.gradientFactor));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC, at(norm.inputFactor));
    operation.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_BIAS, at(norm.offset));
    operation.finalize("a normalisation's gradient");
}

Graph GraphBuilder::finish(const Target& target, const std::string& operation,
                           const ConvolutionShape& shape) && {
    std::vector<const Descriptor*> pointers;
    for (const Descriptor& each : operations_) {
        pointers.push_back(&each);
    }
    Descriptor whole(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    whole.setAll(CUDNN_ATTR_OPERATIONGRAPH_OPS, pointers);
    target.applyToGraph(whole);
    whole.finalize("an operation graph");

    auto parts = std::make_shared<std::vector<Descriptor>>(std::move(tensors_));
    for (std::vector<Descriptor>* more : {&settings_, &operations_}) {
        std::move(more->begin(), more->end(), std::back_inserter(*parts));
    }
    parts->push_back(std::move(whole));

    Graph graph;
    graph.key_ = operation + " " + toString(type_) + " " + shape.text();
    graph.type_ = type_;
    graph.tensors_ = std::move(real_);
    graph.parts_ = std::move(parts);
    return graph;
}

}  // namespace dlperf::worker::cuda::dnn
