// SPDX-License-Identifier: Apache-2.0
#include "cpu/weighted_layer.h"

#include <dnnl.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace dlperf::worker::cpu {

namespace {

// Descriptors of one convolution; any of them may be of format `any`.
struct ConvDescs {
    dnnl::memory::desc source;
    dnnl::memory::desc weights;
    dnnl::memory::desc result;
    dnnl::memory::dims strides;
    dnnl::memory::dims padding;
};

// `forward`: the forward pass's, which the gradients need as a hint. oneDNN 3 merged operation descriptors
// into primitive descriptors; only this function and the next know.
template <typename Primitive, typename... Forward>
typename Primitive::primitive_desc convolutionDesc(const Engine& engine, const ConvDescs& d,
                                                   const Forward&... forward) {
    constexpr auto direct = dnnl::algorithm::convolution_direct;
    constexpr auto training = dnnl::prop_kind::forward_training;
    const auto attr = Engine::attributes();
#if DNNL_VERSION_MAJOR >= 3
    if constexpr (sizeof...(Forward) == 0) {
        return {engine.engine, training,  direct,    d.source,  d.weights,
                d.result,      d.strides, d.padding, d.padding, attr};
    } else {
        return {engine.engine, direct,    d.source,  d.weights,  d.result,
                d.strides,     d.padding, d.padding, forward..., attr};
    }
#else
    if constexpr (sizeof...(Forward) == 0) {
        return {{training, direct, d.source, d.weights, d.result, d.strides, d.padding, d.padding},
                attr,
                engine.engine};
    } else {
        return {{direct, d.source, d.weights, d.result, d.strides, d.padding, d.padding},
                attr,
                engine.engine,
                forward...};
    }
#endif
}

dnnl::matmul::primitive_desc matmulDesc(const Engine& engine, const dnnl::memory::desc& a,
                                        const dnnl::memory::desc& b, const dnnl::memory::desc& c) {
#if DNNL_VERSION_MAJOR >= 3
    return {engine.engine, a, b, c, Engine::attributes()};
#else
    return {{a, b, c}, Engine::attributes(), engine.engine};
#endif
}

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

// From this many pixels an image on, oneDNN's fp32 gradients of 1 x 1 convolutions fall to 60-80 % of what a
// matrix product of the same size reaches (measured with 2.6 on AVX-512).
constexpr int largeImage = 56 * 56;
// The weights' gradient gains from it only where one side is this narrow.
constexpr int narrowChannels = 64;

}  // namespace

WeightedLayer::WeightedLayer(Engine& engine, const ConvLayer& conv, int batch, Type type,
                             bool needsInputGradient)
    : engine_(&engine), type_(type), shape_{conv.outChannels, conv.inChannels, conv.kernel, conv.kernel} {
    planConvolution(conv, batch, needsInputGradient);

    const int image = conv.outSize * conv.outSize;
    const memory::dim pixels = memory::dim{batch} * image;
    const bool plainProduct =
        conv.kernel == 1 && conv.stride == 1 && type == Type::f32 && image >= largeImage;
    if (plainProduct && std::min(conv.inChannels, conv.outChannels) <= narrowChannels) {
        planWeightsGradientAsMatmul(pixels, conv.inChannels < conv.outChannels ? Tag::hwio : Tag::oihw);
    }
    if (plainProduct && needsInputGradient) {
        planInputGradientAsMatmul(pixels);
    }
}

WeightedLayer::WeightedLayer(Engine& engine, int batch, int inputs, int outputs, Type type)
    : engine_(&engine), type_(type), shape_{outputs, inputs, 1, 1} {
    const memory::desc input({batch, inputs}, type, Tag::ab);
    const memory::desc weights({inputs, outputs}, type, Tag::ba);
    forward_ = makeMatmul(input, weights, memory::desc({batch, outputs}, Type::f32, Tag::ab));
    forwardWeights_ = plainWeights(type, Tag::oihw);
    planWeightsGradientAsMatmul(batch, Tag::oihw);
    planInputGradientAsMatmul(batch);
}

void WeightedLayer::planConvolution(const ConvLayer& conv, int batch, bool needsInputGradient) {
    ConvDescs descs{memory::desc({batch, conv.inChannels, conv.inSize, conv.inSize}, type_, Tag::nhwc),
                    memory::desc(shape_, type_, Tag::any),
                    memory::desc({batch, conv.outChannels, conv.outSize, conv.outSize}, type_, Tag::nhwc),
                    {conv.stride, conv.stride},
                    {conv.padding, conv.padding}};
    const auto forward = convolutionDesc<dnnl::convolution_forward>(*engine_, descs);
    forwardWeights_ = forward.weights_desc();
    forward_ = {Task::of<dnnl::convolution_forward>(*engine_, forward),
                {DNNL_ARG_SRC, descs.source},
                {DNNL_ARG_WEIGHTS, forwardWeights_},
                {DNNL_ARG_DST, descs.result}};
    if (needsInputGradient) {
        const auto data = convolutionDesc<dnnl::convolution_backward_data>(*engine_, descs, forward);
        backwardWeights_ = data.weights_desc();
        inputGradient_ = {Task::of<dnnl::convolution_backward_data>(*engine_, data),
                          {DNNL_ARG_DIFF_DST, descs.result},
                          {DNNL_ARG_WEIGHTS, backwardWeights_},
                          {DNNL_ARG_DIFF_SRC, descs.source}};
    }
    descs.weights = memory::desc(shape_, Type::f32, Tag::any);
    const auto weights = convolutionDesc<dnnl::convolution_backward_weights>(*engine_, descs, forward);
    master_ = weights.diff_weights_desc();
    weightsGradient_ = {Task::of<dnnl::convolution_backward_weights>(*engine_, weights),
                        {DNNL_ARG_SRC, descs.source},
                        {DNNL_ARG_DIFF_DST, descs.result},
                        {DNNL_ARG_DIFF_WEIGHTS, master_}};
}

void WeightedLayer::planInputGradientAsMatmul(memory::dim pixels) {
    const memory::dim out = shape_[0];
    const memory::dim in = shape_[1];
    // In fp32 the master serves where it is plain, whichever of the two ways.
    const bool transposed = master_ == plainWeights(Type::f32, Tag::hwio);
    backwardWeights_ = plainWeights(type_, transposed ? Tag::hwio : Tag::oihw);
    inputGradient_ = makeMatmul(memory::desc({pixels, out}, type_, Tag::ab),
                                memory::desc({out, in}, type_, transposed ? Tag::ba : Tag::ab),
                                memory::desc({pixels, in}, type_, Tag::ab));
}

void WeightedLayer::planWeightsGradientAsMatmul(memory::dim pixels, Tag layout) {
    const memory::dim out = shape_[0];
    const memory::dim in = shape_[1];
    master_ = plainWeights(Type::f32, layout);
    if (layout == Tag::hwio) {
        weightsGradient_ = makeMatmul(memory::desc({in, pixels}, type_, Tag::ba),
                                      memory::desc({pixels, out}, type_, Tag::ab),
                                      memory::desc({in, out}, Type::f32, Tag::ab));
        return;
    }
    weightsGradient_ =
        makeMatmul(memory::desc({out, pixels}, type_, Tag::ba), memory::desc({pixels, in}, type_, Tag::ab),
                   memory::desc({out, in}, Type::f32, Tag::ab));
    std::swap(weightsGradient_.first, weightsGradient_.second);  // first is the layer's input, always
}

WeightedLayer::Product WeightedLayer::makeMatmul(const memory::desc& a, const memory::desc& b,
                                                 const memory::desc& c) {
    const auto desc = matmulDesc(*engine_, a, b, c);
    return {
        Task::of<dnnl::matmul>(*engine_, desc), {DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
}

memory::desc WeightedLayer::plainWeights(Type type, Tag tag) const {
    return {shape_, type, tag};
}

std::size_t WeightedLayer::forwardCopyBytes() const {
    return forwardWeights_ == master_ ? 0 : forwardWeights_.get_size();
}

std::size_t WeightedLayer::backwardCopyBytes() const {
    return backwardWeights_ == master_ ? 0 : backwardWeights_.get_size();
}

void WeightedLayer::Product::bind(const void* firstData, const void* secondData, void* resultData) {
    task.bind(first.argument, first.desc, firstData);
    task.bind(second.argument, second.desc, secondData);
    task.bind(result.argument, result.desc, resultData);
    task.bindScratch();
}

void WeightedLayer::bind(const LayerMemory& memory) {
    const bool forwardCopied = forwardCopyBytes() > 0;
    const bool backwardCopied = backwardCopyBytes() > 0;
    forward_.bind(memory.input, forwardCopied ? memory.forwardWeights : memory.weights, memory.output);
    if (inputGradient_.task) {
        inputGradient_.bind(memory.outputGradient, backwardCopied ? memory.backwardWeights : memory.weights,
                            memory.inputGradient);
    }
    weightsGradient_.bind(memory.input, memory.outputGradient, memory.weightsGradient);
    if (forwardCopied) {
        forwardCopy_ = makeCopy(forwardWeights_, memory, memory.forwardWeights);
    }
    if (backwardCopied) {
        backwardCopy_ = makeCopy(backwardWeights_, memory, memory.backwardWeights);
    }
}

Task WeightedLayer::makeCopy(const memory::desc& to, const LayerMemory& memory, void* copy) {
    const dnnl::reorder::primitive_desc desc(engine_->engine, master_, engine_->engine, to);
    Task task = Task::of<dnnl::reorder>(*engine_, desc);
    task.bind(DNNL_ARG_FROM, master_, memory.weights);
    task.bind(DNNL_ARG_TO, to, copy);
    return task;
}

void WeightedLayer::refreshCopies() {
    if (forwardCopy_) {
        forwardCopy_.run();
    }
    if (backwardCopy_) {
        backwardCopy_.run();
    }
}

void WeightedLayer::convert(const memory::desc& from, const float* source, const memory::desc& to,
                            float* result) const {
    memory sourceMemory(from, engine_->engine, const_cast<float*>(source));
    memory resultMemory(to, engine_->engine, result);
    dnnl::reorder(sourceMemory, resultMemory).execute(engine_->stream, sourceMemory, resultMemory);
    engine_->stream.wait();
}

void WeightedLayer::toMaster(const float* canonical, float* master) const {
    convert(plainWeights(Type::f32, Tag::oihw), canonical, master_, master);
}

void WeightedLayer::fromMaster(const float* master, float* canonical) const {
    convert(master_, master, plainWeights(Type::f32, Tag::oihw), canonical);
}

std::string WeightedLayer::layoutId() const {
    // The layout itself has no portable name. Where a probe's values land is the layout.
    const std::size_t count = static_cast<std::size_t>(shape_[0] * shape_[1] * shape_[2] * shape_[3]);
    std::vector<float> probe(count);
    for (std::size_t i = 0; i < count; ++i) {
        probe[i] = static_cast<float>(i % 8191);
    }
    std::vector<float> laid(master_.get_size() / sizeof(float));
    toMaster(probe.data(), laid.data());
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (const float value : laid) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
    }
    return std::to_string(hash);
}

}  // namespace dlperf::worker::cpu
