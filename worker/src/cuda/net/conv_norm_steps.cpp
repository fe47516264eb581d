// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/conv_norm_steps.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "cuda/operators/fused_operators.h"

namespace dlperf::worker::cuda {
namespace {

// Multiplications and additions of one pass over a convolution.
double operationsOf(const dnn::ConvolutionShape& shape) {
    return 2.0 * shape.batch * shape.outSize * shape.outSize * shape.outChannels * shape.inChannels *
           shape.kernel * shape.kernel;
}

double elementsOf(const dnn::Dimensions& dimensions) {
    double count = 1;
    for (const std::int64_t dimension : dimensions) {
        count *= static_cast<double>(dimension);
    }
    return count;
}

double elementsOf(const dnn::ConvolutionShape& shape) {
    return elementsOf(shape.input()) + elementsOf(shape.filter()) + elementsOf(shape.output());
}

Work workOf(Pass pass) {
    switch (pass) {
        case Pass::Forward:
            return Work::ConvolutionForward;
        case Pass::DataGradient:
            return Work::ConvolutionDataGradient;
        case Pass::WeightGradient:
            break;
    }
    return Work::ConvolutionWeightGradient;
}

}  // namespace

template <typename T>
void ConvNormSteps<T>::begin(Work work, double bytes, double operations) const {
    if (observer_ != nullptr) {
        observer_->begin(work, bytes, operations);
    }
}

template <typename T>
void ConvNormSteps<T>::beginOn(Work work, Rows rows, double tensors, bool mask) const {
    const double elements = static_cast<double>(rows.rows * rows.channels);
    begin(work, elements * (tensors * sizeof(T) + (mask ? 0.125 : 0.0)));
}

// Unfused

// `input` and `output` are what the pass reads or writes there: values or gradients.
template <typename T>
void ConvNormSteps<T>::convolve(Pass pass, const ConvNorm<T>& layer, const T* input, const T* output) const {
    T* const filter = pass == Pass::WeightGradient ? layer.filterGradient : layer.filter;
    begin(workOf(pass), elementsOf(layer.shape) * sizeof(T), operationsOf(layer.shape));
    operators_.run(pass, layer.shape, {const_cast<T*>(input), filter, const_cast<T*>(output)});
}

// The statistics of what a convolution gave, and with them its normalisation.
template <typename T>
void ConvNormSteps<T>::updateStatistics(const ConvNorm<T>& layer) const {
    if (frozenNorm_) {
        normFreeze(stream_, layer.rows.channels, layer.parameters, layer.running, layer.norm);
        return;
    }
    beginOn(Work::Statistics, layer.rows, 1);
    normStatistics(stream_, layer.rows, static_cast<const T*>(layer.x), layer.parameters, layer.running,
                   scratch_, layer.norm);
}

// The sums over pixels as the gradients of a normalisation's parameters and as its NormGradient.
template <typename T>
void ConvNormSteps<T>::foldGradients(const ConvNorm<T>& layer, Branch branch) const {
    normFoldGradients(stream_, layer.rows, scratch_, branch, layer.parameters.gamma, frozenNorm_,
                      layer.gradients, layer.norm);
}

template <typename T>
void ConvNormSteps<T>::throughNormRelu(const ConvNorm<T>& layer, T* gradient) const {
    const ReluMask reluMask{nullptr, layer.norm.affine()};
    const T* const x = layer.x;
    beginOn(Work::NormSums, layer.rows, 2);
    normReluSums(stream_, layer.rows, static_cast<const T*>(gradient), x, reluMask, layer.norm.mean,
                 scratch_);
    foldGradients(layer, Branch::Only);
    beginOn(Work::NormGradient, layer.rows, 3);
    normReluGradient(stream_, layer.rows, static_cast<const T*>(gradient), x, reluMask, layer.norm.gradient(),
                     gradient);
}

template <typename T>
void ConvNormSteps<T>::endBlock(const BlockEndLayers<T>& end, T* output) const {
    const ConvNorm<T>& main = end.main;
    const T* const x = main.x;
    beginOn(Work::NormForward, main.rows, 3, true);
    if (end.around == nullptr) {
        normAddRelu(stream_, main.rows, x, main.norm.affine(), end.input, output, end.mask);
    } else {
        normAddNormRelu(stream_, main.rows, x, main.norm.affine(), static_cast<const T*>(end.around->x),
                        end.around->norm.affine(), output, end.mask);
    }
}

template <typename T>
void ConvNormSteps<T>::sumBlockEnd(const BlockEndLayers<T>& end, const T* other, T* dz) const {
    const Rows rows = end.main.rows;
    const bool isDual = end.around != nullptr;
    beginOn(Work::NormSums, rows, 3.0 + (other == nullptr ? 0 : 1) + (isDual ? 1 : 0), true);
    blockSums(stream_, rows, static_cast<const T*>(dz), other, end.mask, end.tensors(), dz, scratch_);
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

// Fused: only __half has fused passes

// Moves what the convolution does: the sums are next to nothing.
template <typename T>
void ConvNormSteps<T>::forwardStatistics(const ConvNorm<T>& layer, const T* input) const {
    if constexpr (std::is_same_v<T, __half>) {
        begin(Work::ConvolutionForward, elementsOf(layer.shape) * sizeof(T), operationsOf(layer.shape));
        FusedTensors tensors{input, layer.filter, layer.x, scratch_};
        operators_.fused()->run({FusedPass::ForwardStatistics, layer.shape}, tensors);
        updateStatisticsFromSums(layer);
    }
}

template <typename T>
void ConvNormSteps<T>::normForwardStatistics(const ConvNorm<T>& before, const ConvNorm<T>& layer) const {
    if constexpr (std::is_same_v<T, __half>) {
        begin(Work::ConvolutionForward, elementsOf(layer.shape) * sizeof(T), operationsOf(layer.shape));
        FusedTensors tensors{before.x, layer.filter, layer.x, scratch_};
        tensors.front.norm = before.norm;
        operators_.fused()->run({FusedPass::NormForwardStatistics, layer.shape}, tensors);
        updateStatisticsFromSums(layer);
    }
}

template <typename T>
void ConvNormSteps<T>::forwardFromBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer,
                                           T* output) const {
    if constexpr (std::is_same_v<T, __half>) {
        // Of the input's shape it reads x and the shortcut besides storing the block's output.
        const double elements = elementsOf(layer.shape) + 2 * elementsOf(layer.shape.input());
        begin(Work::ConvolutionForward, elements * sizeof(T), operationsOf(layer.shape));
        FusedTensors tensors{end.main.x, layer.filter, layer.x, scratch_};
        tensors.front.norm = end.main.norm;
        tensors.blockOutput = output;
        tensors.shortcut = end.input;
        FusedPass pass = FusedPass::BlockForwardStatistics;
        if (end.around != nullptr) {
            tensors.shortcut = end.around->x;
            tensors.around.norm = end.around->norm;
            pass = FusedPass::DualForwardStatistics;
        }
        operators_.fused()->run({pass, layer.shape}, tensors);
        updateStatisticsFromSums(layer);
    }
}

// updateStatistics() of the sums in scratch_.
template <typename T>
void ConvNormSteps<T>::updateStatisticsFromSums(const ConvNorm<T>& layer) const {
    // A channel's two sums and two parameters are read and four numbers set, and two running ones moved.
    begin(Work::Statistics, static_cast<double>(layer.rows.channels) * 12 * sizeof(float));
    normStatisticsFromSums(stream_, layer.rows, scratch_, layer.parameters, layer.running, layer.norm);
}

template <typename T>
void ConvNormSteps<T>::normWeightGradient(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                          const T* gradient) const {
    if constexpr (std::is_same_v<T, __half>) {
        begin(Work::ConvolutionWeightGradient, elementsOf(layer.shape) * sizeof(T),
              operationsOf(layer.shape));
        FusedTensors tensors{before.x, layer.filterGradient, const_cast<T*>(gradient)};
        tensors.front.norm = before.norm;
        operators_.fused()->run({FusedPass::NormWeightGradient, layer.shape}, tensors);
    }
}

template <typename T>
void ConvNormSteps<T>::dataNormGradient(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                        const T* gradient, T* dz) const {
    if constexpr (std::is_same_v<T, __half>) {
        // Of the input's shape it reads x besides setting dz.
        const double elements = elementsOf(layer.shape) + elementsOf(layer.shape.input());
        begin(Work::ConvolutionDataGradient, elements * sizeof(T), operationsOf(layer.shape));
        FusedTensors tensors{before.x, layer.filter, const_cast<T*>(gradient), nullptr, dz};
        tensors.front = {before.norm, before.parameters, before.gradients};
        operators_.fused()->run({FusedPass::DataNormGradient, layer.shape}, tensors);
    }
}

template <typename T>
void ConvNormSteps<T>::dataGradientToBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer,
                                              const T* gradient, const T* other, T* dz) const {
    if constexpr (std::is_same_v<T, __half>) {
        // Of the input's shape it reads x, the shortcut and the other gradient besides setting dz.
        const double elements = elementsOf(layer.shape) + 3 * elementsOf(layer.shape.input());
        begin(Work::ConvolutionDataGradient, elements * sizeof(T), operationsOf(layer.shape));
        const ConvNorm<T>& main = end.main;
        FusedTensors tensors{main.x, layer.filter, const_cast<T*>(gradient), nullptr, dz};
        tensors.front = {main.norm, main.parameters, main.gradients};
        tensors.otherGradient = other;
        tensors.shortcut = end.input;
        FusedPass pass = FusedPass::BlockDataNormGradient;
        if (const ConvNorm<T>* const around = end.around) {
            tensors.shortcut = around->x;
            tensors.around = {around->norm, around->parameters, around->gradients};
            pass = FusedPass::DualDataNormGradient;
        }
        operators_.fused()->run({pass, layer.shape}, tensors);
    }
}

// By the layer's fusion strategy

template <typename T>
void ConvNormSteps<T>::forward(const ConvNorm<T>& layer, const T* input) const {
    if (layer.fusion.forward != ForwardFusion::Unfused) {
        return forwardStatistics(layer, input);
    }
    convolve(Pass::Forward, layer, input, layer.x);
    updateStatistics(layer);
}

template <typename T>
void ConvNormSteps<T>::forwardBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer) const {
    if (layer.fusion.forward == ForwardFusion::Prologue) {
        return normForwardStatistics(before, layer);
    }
    beginOn(Work::NormForward, before.rows, 2);
    normRelu(stream_, before.rows, static_cast<const T*>(before.x), before.norm.affine(), before.y, nullptr);
    forward(layer, before.y);
}

template <typename T>
void ConvNormSteps<T>::weightGradient(const ConvNorm<T>& layer, const T* input, const T* gradient) const {
    convolve(Pass::WeightGradient, layer, input, gradient);
}

template <typename T>
void ConvNormSteps<T>::weightGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                            const T* gradient) const {
    if (layer.fusion.forward == ForwardFusion::Prologue) {
        return normWeightGradient(before, layer, gradient);
    }
    weightGradient(layer, before.y, gradient);
}

template <typename T>
void ConvNormSteps<T>::dataGradient(const ConvNorm<T>& layer, const T* gradient, T* inputGradient) const {
    convolve(Pass::DataGradient, layer, inputGradient, gradient);
}

template <typename T>
void ConvNormSteps<T>::dataGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer,
                                          const T* gradient, T* inputGradient) const {
    if (layer.fusion.dataNorm) {
        return dataNormGradient(before, layer, gradient, inputGradient);
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
    normGradient(stream_, before.rows, static_cast<const T*>(inputGradient), static_cast<const T*>(before.x),
                 before.norm.gradient(), inputGradient);
}

template class ConvNormSteps<float>;
template class ConvNormSteps<__half>;
template class ConvNormSteps<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
