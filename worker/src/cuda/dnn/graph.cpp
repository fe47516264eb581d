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

GraphBuilder::Tensor GraphBuilder::keep(std::int64_t uid, const Dimensions& dimensions, cudnnDataType_t type,
                                        bool isVirtual) {
    const Dimensions strides = stridesOf(dimensions);
    Descriptor& tensor = tensors_.emplace_back(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, uid);
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
    tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment);
    tensor.setAll<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, dimensions);
    tensor.setAll<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, strides);
    tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, isVirtual);
    tensor.finalize("a tensor");
    return static_cast<Tensor>(tensors_.size() - 1);
}

GraphBuilder::Tensor GraphBuilder::tensor(Uid uid, const Dimensions& dimensions, cudnnDataType_t type) {
    real_.push_back({uid, dimensions, type});
    return keep(static_cast<std::int64_t>(uid), dimensions, type, false);
}

GraphBuilder::Tensor GraphBuilder::between(const Dimensions& dimensions, cudnnDataType_t type) {
    return keep(nextVirtual_++, dimensions, type, true);
}

// One that has its tensors, and still lacks its settings.
Descriptor& GraphBuilder::operation(cudnnBackendDescriptorType_t type, Places tensors) {
    Descriptor& operation = operations_.emplace_back(type);
    for (const auto& [name, tensor] : tensors) {
        operation.set(name, tensors_[static_cast<std::size_t>(tensor)]);
    }
    return operation;
}

namespace {

// cuDNN's names of one of the three passes and of its attributes.
struct ConvolutionNames {
    cudnnBackendDescriptorType_t type;
    cudnnBackendAttributeName_t settings, x, w, y, alpha, beta;
};

// In the order of Pass.
constexpr ConvolutionNames convolutionNames[] = {
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA}};

}  // namespace

void GraphBuilder::convolve(Pass pass, const ConvolutionShape& shape, Tensor x, Tensor w, Tensor y) {
    Descriptor& settings = settings_.emplace_back(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    settings.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    settings.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
    settings.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
    setPair(settings, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, shape.stride);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, shape.padding);
    setPair(settings, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, shape.padding);
    settings.finalize("a convolution");

    const ConvolutionNames& names = convolutionNames[static_cast<std::size_t>(pass)];
    Descriptor& convolution = operation(names.type, {{names.x, x}, {names.w, w}, {names.y, y}});
    convolution.set(names.settings, settings);
    convolution.set(names.alpha, 1.0F);
    convolution.set(names.beta, 0.0F);
    convolution.finalize("a convolution's operation");
}

void GraphBuilder::pointwise(cudnnPointwiseMode_t mode, Places tensors) {
    Descriptor& settings = settings_.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    settings.set(CUDNN_ATTR_POINTWISE_MODE, mode);
    settings.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
    settings.finalize("a pointwise function");
    Descriptor& function = operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, tensors);
    function.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, settings);
    function.finalize("a pointwise operation");
}

void GraphBuilder::binary(cudnnPointwiseMode_t mode, Tensor a, Tensor b, Tensor result) {
    pointwise(mode, {{CUDNN_ATTR_OPERATION_POINTWISE_XDESC, a},
                     {CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b},
                     {CUDNN_ATTR_OPERATION_POINTWISE_YDESC, result}});
}

void GraphBuilder::relu(Tensor x, Tensor y) {
    pointwise(CUDNN_POINTWISE_RELU_FWD,
              {{CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x}, {CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y}});
}

void GraphBuilder::reluGradient(Tensor dy, Tensor x, Tensor dx) {
    pointwise(CUDNN_POINTWISE_RELU_BWD, {{CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, dy},
                                         {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x},
                                         {CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, dx}});
}

void GraphBuilder::statistics(Tensor x, Tensor sum, Tensor squareSum) {
    Descriptor& sums = operation(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR,
                                 {{CUDNN_ATTR_OPERATION_GENSTATS_XDESC, x},
                                  {CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sum},
                                  {CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squareSum}});
    sums.set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM);
    sums.set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT);
    sums.finalize("statistics");
}

void GraphBuilder::normGradient(const NormTensors& norm) {
    Descriptor& gradient =
        operation(CUDNN_BACKEND_OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR,
                  {{CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_X_DESC, norm.x},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MEAN_DESC, norm.mean},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC, norm.inverseDeviation},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC, norm.scale},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DY_DESC, norm.dy},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC, norm.scaleGradient},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC, norm.biasGradient},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC, norm.gradientFactor},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC, norm.inputFactor},
                   {CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_EQ_BIAS, norm.offset}});
    gradient.set(CUDNN_ATTR_OPERATION_BN_BWD_WEIGHTS_MATH_PREC, CUDNN_DATA_FLOAT);
    gradient.finalize("a normalisation's gradient");
}

Graph GraphBuilder::finish(const Target& target, const std::string& operation,
                           const ConvolutionShape& shape) && {
    std::vector<const Descriptor*> pointers;
    for (const Descriptor& each : operations_) {
        pointers.push_back(&each);
    }
    Descriptor whole(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    whole.setAll(CUDNN_ATTR_OPERATIONGRAPH_OPS, pointers);
    target.setHandle(whole, CUDNN_ATTR_OPERATIONGRAPH_HANDLE);
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
