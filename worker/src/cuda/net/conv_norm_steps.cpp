// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/conv_norm_steps.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace dlperf::worker::cuda {
namespace {

// Multiplications and additions of one pass over a convolution.
double operationsOf(const dnn::ConvolutionShape& shape) {
    return 2.0 * shape.batch * shape.outSize * shape.outSize * shape.outChannels * shape.inChannels *
           shape.kernel * shape.kernel;
}

// Of its three tensors, and of `more` like its input.
double movedElements(const dnn::ConvolutionShape& shape, double more) {
    const auto input = static_cast<double>(elementsOf(shape.inputRows()));
    const auto others = static_cast<double>(elementsOf(shape.outputRows()) + dnn::elementsOf(shape.filter()));
    return (1 + more) * input + others;
}

// What a pass counts as, and how many tensors of its input's shape it moves besides the convolution's own.
struct PassCost {
    Work work;
    double more;
};

// In the order of Pass. Behind a block's end the shortcut is read besides x, and forward the block's output
// stored; what goes back through a ReLU reads x, there the shortcut and the other gradient too, and sets dz.
constexpr PassCost costs[] = {{Work::ConvolutionForward, 0},        {Work::ConvolutionDataGradient, 0},
                              {Work::ConvolutionWeightGradient, 0}, {Work::ConvolutionForward, 0},
                              {Work::ConvolutionForward, 0},        {Work::ConvolutionForward, 2},
                              {Work::ConvolutionForward, 2},        {Work::ConvolutionWeightGradient, 0},
                              {Work::ConvolutionDataGradient, 1},   {Work::ConvolutionDataGradient, 3},
                              {Work::ConvolutionDataGradient, 3}};

// What LayerTensors take, some of which are only read.
template <typename T>
void* untyped(const T* data) {
    return const_cast<T*>(data);
}

// The pass's tensors with the normalisation in front.
template <typename T>
LayerTensors behind(const ConvNorm<T>& before, LayerTensors tensors) {
    tensors.front = {before.norm, before.parameters, before.gradients};
    return tensors;
}
template <typename T>
LayerTensors behind(const BlockEndLayers<T>& end, LayerTensors tensors) {
    tensors.shortcut = untyped(end.input);
    if (const ConvNorm<T>* const around = end.around) {
        tensors.shortcut = around->x;
        tensors.around = {around->norm, around->parameters, around->gradients};
    }
    return behind(end.main, tensors);
}

}  // namespace

template <typename T>
void ConvNormSteps<T>::begin(Work work, double bytes, double operations) const {
    if (observer_) {
        observer_(work, bytes, operations);
    }
}

template <typename T>
void ConvNormSteps<T>::beginOn(Work work, Rows rows, double tensors, bool mask) const {
    begin(work, static_cast<double>(elementsOf(rows)) * (tensors * sizeof(T) + (mask ? 0.125 : 0.0)));
}

// Unfused

template <typename T>
void ConvNormSteps<T>::convolve(Pass pass, const ConvNorm<T>& layer, const LayerTensors& tensors) const {
    const auto [work, more] = costs[static_cast<std::size_t>(pass)];
    begin(work, movedElements(layer.shape, more) * sizeof(T), operationsOf(layer.shape));
    operators_.run({pass, layer.shape}, tensors);
    if (!isFused(pass) || work != Work::ConvolutionForward) {
        return;
    }
    // A channel's two sums and two parameters are read and four numbers set.
    begin(Work::Statistics, static_cast<double>(layer.rows.channels) * 8 * sizeof(float));
    normStatisticsFromSums(stream_, layer.rows, scratch_, layer.parameters, layer.norm);
}

// The statistics of what a convolution gave, and with them its normalisation.
template <typename T>
void ConvNormSteps<T>::updateStatistics(const ConvNorm<T>& layer) const {
    if (frozenNorm_) {
        normFreeze(stream_, layer.rows.channels, layer.parameters, layer.norm);
        return;
    }
    beginOn(Work::Statistics, layer.rows, 1);
    normStatistics(stream_, layer.rows, layer.x, layer.parameters, scratch_, layer.norm);
}

// The sums over pixels as the gradients of a normalisation's parameters and as its NormGradient.
template <typename T>
void ConvNormSteps<T>::foldGradients(const ConvNorm<T>& layer, Branch branch) const {
    normFoldGradients(stream_, layer.rows, scratch_, branch, layer.parameters.gamma, frozenNorm_,
                      layer.gradients, layer.norm);
}

template <typename T>
void ConvNormSteps<T>::throughNormRelu(const ConvNorm<T>& layer, T* gradient) const {
    const Affine affine = layer.norm.affine();
    beginOn(Work::NormSums, layer.rows, 2);
    normReluSums(stream_, layer.rows, gradient, layer.x, affine, layer.norm.mean, scratch_);
    foldGradients(layer, Branch::Only);
    beginOn(Work::NormGradient, layer.rows, 3);
    normReluGradient(stream_, layer.rows, gradient, layer.x, affine, layer.norm.gradient(), gradient);
}

template <typename T>
void ConvNormSteps<T>::throughSummedNorm(const ConvNorm<T>& layer, T* gradient) const {
    foldGradients(layer, Branch::Only);
    beginOn(Work::NormGradient, layer.rows, 3);
    normGradient(stream_, layer.rows, static_cast<const T*>(gradient), static_cast<const T*>(layer.x),
                 layer.norm.gradient(), gradient);
}

template <typename T>
void ConvNormSteps<T>::endBlock(const BlockEndLayers<T>& end, T* output) const {
    const ConvNorm<T>& main = end.main;
    beginOn(Work::NormForward, main.rows, 3, true);
    if (end.around == nullptr) {
        normAddRelu(stream_, main.rows, main.x, main.norm.affine(), end.input, output, end.mask);
    } else {
        normAddNormRelu(stream_, main.rows, main.x, main.norm.affine(), end.around->x,
                        end.around->norm.affine(), output, end.mask);
    }
}

template <typename T>
void ConvNormSteps<T>::sumBlockEnd(const BlockEndLayers<T>& end, const T* other, T* dz) const {
    const Rows rows = end.main.rows;
    const bool isDual = end.around != nullptr;
    beginOn(Work::NormSums, rows, 3.0 + (other == nullptr ? 0 : 1) + (isDual ? 1 : 0), true);
    blockSums(stream_, rows, dz, other, end.mask, end.tensors(), dz, scratch_);
    foldGradients(end.main, isDual ? Branch::Main : Branch::Only);
    if (isDual) {
        foldGradients(*end.around, Branch::Shortcut);
    }
}

template <typename T>
void ConvNormSteps<T>::throughBlockEnd(const BlockEndLayers<T>& end, const T* dz, T* gradient,
                                       T* aroundGradient) const {
    const Rows rows = end.main.rows;
    const BlockEnd<T> tensors = end.tensors();
    const NormGradient main = end.main.norm.gradient();
    beginOn(Work::NormGradient, rows, end.around == nullptr ? 3 : 5);
    if (end.around == nullptr) {
        normGradient(stream_, rows, dz, tensors.x, main, gradient);
    } else {
        normGradients(stream_, rows, dz, tensors.x, main, gradient, tensors.x2, end.around->norm.gradient(),
                      aroundGradient);
    }
}

// Across a block's border

template <typename T>
void ConvNormSteps<T>::forwardFromBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer,
                                           T* output) const {
    LayerTensors tensors = behind(end, {end.main.x, layer.filter, layer.x, scratch_});
    tensors.blockOutput = output;
    convolve(end.around != nullptr ? Pass::DualForwardStatistics : Pass::BlockForwardStatistics, layer,
             tensors);
}

template <typename T>
void ConvNormSteps<T>::dataGradientToBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer,
                                              const T* gradient, const T* other, T* dz) const {
    LayerTensors tensors = behind(end, {end.main.x, layer.filter, untyped(gradient), nullptr, dz});
    tensors.otherGradient = untyped(other);
    convolve(end.around != nullptr ? Pass::DualDataNormGradient : Pass::BlockDataNormGradient, layer,
             tensors);
}

// By the layer's fusion strategy

template <typename T>
void ConvNormSteps<T>::forward(const ConvNorm<T>& layer, const T* input) const {
    const LayerTensors tensors{untyped(input), layer.filter, layer.x, scratch_};
    if (layer.fusion.forward != ForwardFusion::Unfused) {
        return convolve(Pass::ForwardStatistics, layer, tensors);
    }
    convolve(Pass::Forward, layer, tensors);
    updateStatistics(layer);
}

template <typename T>
void ConvNormSteps<T>::forwardBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer) const {
    if (layer.fusion.forward == ForwardFusion::Prologue) {
        return convolve(Pass::NormForwardStatistics, layer,
                        behind(before, {before.x, layer.filter, layer.x, scratch_}));
    }
    beginOn(Work::NormForward, before.rows, 2);
    normRelu(stream_, before.rows, before.x, before.norm.affine(), before.y);
    forward(layer, before.y);
}

template <typename T>
void ConvNormSteps<T>::weightGradient(const ConvNorm<T>& layer, const T* input, const T* gradient) const {
    convolve(Pass::WeightGradient, layer, {untyped(input), layer.filterGradient, untyped(gradient)});
}

template <typename T>
void ConvNormSteps<T>::weightGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                            const T* gradient) const {
    if (layer.fusion.forward == ForwardFusion::Prologue) {
        return convolve(Pass::NormWeightGradient, layer,
                        behind(before, {before.x, layer.filterGradient, untyped(gradient)}));
    }
    weightGradient(layer, before.y, gradient);
}

template <typename T>
void ConvNormSteps<T>::dataGradient(const ConvNorm<T>& layer, const T* gradient, T* inputGradient) const {
    convolve(Pass::DataGradient, layer, {inputGradient, layer.filter, untyped(gradient)});
}

template <typename T>
void ConvNormSteps<T>::dataGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                          const T* gradient, T* inputGradient) const {
    if (layer.fusion.dataNorm) {
        return convolve(Pass::DataNormGradient, layer,
                        behind(before, {before.x, layer.filter, untyped(gradient), nullptr, inputGradient}));
    }
    dataGradient(layer, gradient, inputGradient);
}

template <typename T>
void ConvNormSteps<T>::throughNormBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                         T* inputGradient) const {
    if (!layer.fusion.dataNorm) {
        return throughNormRelu(before, inputGradient);
    }
    beginOn(Work::NormGradient, before.rows, 3);
    normGradient(stream_, before.rows, inputGradient, before.x, before.norm.gradient(), inputGradient);
}

template class ConvNormSteps<float>;
template class ConvNormSteps<__half>;
template class ConvNormSteps<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
