// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/network.h"

#include <algorithm>
#include <type_traits>

#include "base/numbers.h"
#include "cuda/kernels/kernels.h"
#include "cuda/net/choose_fusion.h"

namespace dlperf::worker::cuda {
namespace {

std::size_t elementsOf(Rows rows) {
    return rows.rows * rows.channels;
}

}  // namespace

// Memory

template <typename T>
Network<T>::Network(const ResNet50& net, const Problem& problem, const ParameterStore<T>& store,
                    Operators& operators, cudaStream_t stream)
    : net_(net),
      problem_(problem),
      store_(store),
      operators_(operators),
      stream_(stream),
      plan_(planGradientBuffers(net)) {
    planLayers();
    // First, as choosing among the strategies takes memory that is free again afterwards.
    operators_.prepare(wantedOperators());
    const std::vector<FusionStrategy> strategies = chooseFusion(net_, problem_, operators_, stream_);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        layers_[i].fusion = strategies[i];
    }
    const std::vector<LayerOffsets> offsets = reserveLayers();
    reserveActivations();
    arena_.allocate();
    bindLayers(offsets);
    steps_.emplace(operators_, stream_, problem_.frozenNorm, scratch());
    resetStatistics();
}

template <typename T>
void Network<T>::planLayers() {
    const auto batch = asIndex(problem_.batchSize);
    for (const ConvLayer& conv : net_.convs) {
        ConvNorm<T>& layer = layers_.emplace_back();
        layer.shape = dnn::shapeOf(conv, problem_.batchSize);
        layer.rows = {batch * asIndex(conv.outSize) * asIndex(conv.outSize), asIndex(conv.outChannels)};
    }
}

template <typename T>
std::vector<Operators::Wanted> Network<T>::wantedOperators() const {
    std::vector<Operators::Wanted> wanted;
    for (const ConvNorm<T>& layer : layers_) {
        wanted.push_back({Pass::Forward, layer.shape});
        wanted.push_back({Pass::WeightGradient, layer.shape});
        if (&layer != &layers_.front()) {
            wanted.push_back({Pass::DataGradient, layer.shape});
        }
    }
    return wanted;
}

template <typename T>
std::vector<typename Network<T>::LayerOffsets> Network<T>::reserveLayers() {
    std::vector<LayerOffsets> offsets;
    for (const ConvNorm<T>& layer : layers_) {
        LayerOffsets layerOffsets;
        layerOffsets.x = arena_.template reserve<T>(elementsOf(layer.rows));
        layerOffsets.norm = arena_.template reserve<float>((normArrays + 2) * layer.rows.channels);
        offsets.push_back(layerOffsets);
    }
    const auto reserveFolded = [&](int index) {
        offsets[asIndex(index)].folded = arena_.template reserve<T>(2 * layer(index).rows.channels);
    };
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        const Bottleneck& block = net_.blocks[b];
        for (const auto& [before, index] :
             {std::pair(block.conv1, block.conv2), std::pair(block.conv2, block.conv3)}) {
            if (hasPrologue(index)) {
                reserveFolded(before);
            } else {
                offsets[asIndex(before)].y = arena_.template reserve<T>(elementsOf(layer(before).rows));
            }
        }
        if (!endsInNext(b)) {
            continue;
        }
        reserveFolded(block.conv3);
        if (block.downsample != Bottleneck::none) {
            reserveFolded(block.downsample);
        }
    }
    return offsets;
}

template <typename T>
void Network<T>::reserveActivations() {
    std::size_t scratchFloats = lossScratchFloats(lossShape());
    std::size_t largest = 0;
    for (const ConvNorm<T>& layer : layers_) {
        scratchFloats = std::max(scratchFloats, normScratchFloats(layer.rows));
        largest = std::max(largest, elementsOf(layer.rows));
    }
    scratch_ = arena_.template reserve<float>(scratchFloats);
    for (std::size_t& buffer : buffers_) {
        buffer = arena_.template reserve<T>(largest);
    }
    for (const Bottleneck& block : net_.blocks) {
        const std::size_t elements = elementsOf(layer(block.conv3).rows);
        blockOutputs_.push_back(arena_.template reserve<T>(elements));
        masks_.push_back(arena_.reserve(elements / 8));
    }
    const auto batch = asIndex(problem_.batchSize);
    const Pooling stem = stemPooling(net_, problem_.batchSize);
    const std::size_t pooled = batch * stem.outSize * stem.outSize * stem.channels;
    const auto classes = asIndex(net_.classes);
    input_ = arena_.template reserve<T>(batch * asIndex(net_.imageSize) * asIndex(net_.imageSize) * 4);
    pooled_ = arena_.template reserve<T>(pooled);
    winners_ = arena_.reserve(pooled);
    features_ = arena_.template reserve<T>(batch * asIndex(net_.features));
    featureGradients_ = arena_.template reserve<T>(batch * asIndex(net_.features));
    logits_ = arena_.template reserve<float>(batch * classes);
    if (!std::is_same_v<T, float>) {
        logitGradients_ = arena_.template reserve<T>(batch * classes);
    }
}

template <typename T>
void Network<T>::bindLayers(const std::vector<LayerOffsets>& offsets) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        ConvNorm<T>& layer = layers_[i];
        const std::size_t weight = weightOf(static_cast<int>(i));
        const auto array = [&](std::size_t k) {
            return arena_.at<float>(offsets[i].norm) + k * layer.rows.channels;
        };
        layer.filter = store_.weight(weight);
        layer.filterGradient = store_.weightGradient(weight);
        layer.x = at(offsets[i].x);
        layer.norm = {array(0), array(1), array(2), array(3), array(4), array(5), array(6)};
        layer.running = {array(normArrays), array(normArrays + 1)};
        layer.parameters = {store_.vector(weight + 1), store_.vector(weight + 2)};
        layer.gradients = {store_.vectorGradient(weight + 1), store_.vectorGradient(weight + 2)};
    }
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        const Bottleneck& block = net_.blocks[b];
        for (const auto& [before, index] :
             {std::pair(block.conv1, block.conv2), std::pair(block.conv2, block.conv3)}) {
            if (hasPrologue(index)) {
                bindFolded(before, offsets);
            } else {
                layers_[asIndex(before)].y = at(offsets[asIndex(before)].y);
            }
        }
        if (!endsInNext(b)) {
            continue;
        }
        bindFolded(block.conv3, offsets);
        if (block.downsample != Bottleneck::none) {
            bindFolded(block.downsample, offsets);
        }
    }
}

template <typename T>
void Network<T>::bindFolded(int index, const std::vector<LayerOffsets>& offsets) {
    if constexpr (std::is_same_v<T, __half>) {
        ConvNorm<T>& layer = layers_[asIndex(index)];
        T* const folded = at(offsets[asIndex(index)].folded);
        layer.norm.folded = {folded, folded + layer.rows.channels};
    }
}

template <typename T>
T* Network<T>::logitGradients() const {
    if constexpr (std::is_same_v<T, float>) {
        return arena_.at<float>(logits_);
    } else {
        return at(logitGradients_);
    }
}

template <typename T>
void Network<T>::resetStatistics() {
    for (int i = 0; i < static_cast<int>(layers_.size()); ++i) {
        const std::size_t channels = layer(i).rows.channels;
        const std::vector<float> zeroThenOne = [&] {
            std::vector<float> values(2 * channels, 0.0F);
            std::fill(values.begin() + static_cast<std::ptrdiff_t>(channels), values.end(), 1.0F);
            return values;
        }();
        check(cudaMemcpyAsync(layer(i).running.mean, zeroThenOne.data(), zeroThenOne.size() * sizeof(float),
                              cudaMemcpyHostToDevice, stream_),
              "set the running statistics");
        check(cudaStreamSynchronize(stream_), "set the running statistics");
    }
}

template <typename T>
LinearShape Network<T>::linearShape() const {
    return {problem_.batchSize, net_.features, net_.classes};
}

template <typename T>
LossShape Network<T>::lossShape() const {
    return {asIndex(problem_.batchSize), asIndex(net_.classes)};
}

template <typename T>
void Network<T>::linear(Pass pass) {
    const LinearShape shape = linearShape();
    const double batch = shape.batch, inputs = shape.inputs, outputs = shape.outputs;
    steps_->begin(Work::Linear, (batch * inputs + inputs * outputs + batch * outputs) * sizeof(T),
                  2 * batch * inputs * outputs);
    LayerTensors tensors{at(features_), store_.weight(linearWeight()), logitGradients()};
    if (pass == Pass::Forward) {
        tensors.output = arena_.at<float>(logits_);
    }
    if (pass == Pass::DataGradient) {
        tensors.input = at(featureGradients_);
    }
    if (pass == Pass::WeightGradient) {
        tensors.filter = store_.weightGradient(linearWeight());
    }
    operators_.run(pass, shape, tensors);
}

// Forward

template <typename T>
void Network<T>::forward(const DeviceBatch& batch, const float* lossScale) {
    forwardStem(batch);
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        forwardBlock(b);
    }
    forwardHead(batch, lossScale);
}

template <typename T>
void Network<T>::forwardStem(const DeviceBatch& batch) {
    const auto size = asIndex(net_.imageSize);
    const Images images{asIndex(problem_.batchSize), size, size};
    steps_->begin(Work::Pixels, static_cast<double>(images.batch * size * size) * (3 + 4 * sizeof(T)));
    normalizePixels(stream_, images, batch.pixels, batch.flips, at(input_));
    steps_->forward(layer(0), at(input_));
    steps_->beginOn(Work::Pooling, layer(0).rows, 1.25);
    normReluMaxPool(stream_, stemPooling(net_, problem_.batchSize), static_cast<const T*>(layer(0).x),
                    layer(0).norm.affine(), at(pooled_), arena_.at<std::uint8_t>(winners_));
}

template <typename T>
void Network<T>::forwardBlock(std::size_t index) {
    const Bottleneck& block = net_.blocks[index];
    T* const input = blockInput(index);
    if (index > 0 && endsInNext(index - 1)) {
        steps_->forwardFromBlockEnd(endOf(index - 1), layer(block.conv1), input);
    } else {
        steps_->forward(layer(block.conv1), input);
    }
    steps_->forwardBehind(layer(block.conv1), layer(block.conv2));
    steps_->forwardBehind(layer(block.conv2), layer(block.conv3));
    if (block.downsample != Bottleneck::none) {
        steps_->forward(layer(block.downsample), input);
    }
    if (!endsInNext(index)) {
        steps_->endBlock(endOf(index), at(blockOutputs_[index]));
    }
}

template <typename T>
void Network<T>::forwardHead(const DeviceBatch& batch, const float* lossScale) {
    steps_->beginOn(Work::Pooling, layer(net_.blocks.back().conv3).rows, 1);
    meanPool(stream_, lastPooling(net_, problem_.batchSize), at(blockOutputs_.back()), at(features_));
    linear(Pass::Forward);
    const std::size_t bias = linearWeight() + 1;
    const LossTensors<float, T> tensors{
        arena_.at<float>(logits_), store_.vector(bias),        batch.labels, lossScale, store_.loss(),
        logitGradients(),          store_.vectorGradient(bias)};
    steps_->begin(Work::Loss, static_cast<double>(lossShape().batch * lossShape().classes) *
                                  (2 * sizeof(float) + sizeof(T)));
    softmaxCrossEntropy(stream_, lossShape(), static_cast<float>(problem_.labelSmoothing), tensors,
                        scratch());
}

// Backward

template <typename T>
void Network<T>::backward(const GradientsReady& ready) {
    backwardHead(ready);
    for (std::size_t b = net_.blocks.size(); b-- > 0;) {
        backwardBlock(b, ready);
    }
    backwardStem(ready);
}

template <typename T>
void Network<T>::backwardHead(const GradientsReady& ready) {
    linear(Pass::WeightGradient);
    ready(store_.layout().offset(linearWeight()));
    linear(Pass::DataGradient);
    steps_->beginOn(Work::Pooling, layer(net_.blocks.back().conv3).rows, 1);
    meanPoolGradient(stream_, lastPooling(net_, problem_.batchSize),
                     static_cast<const T*>(at(featureGradients_)), gradient(plan_.blocks.back().incoming));
}

template <typename T>
BlockEndLayers<T> Network<T>::endOf(std::size_t index) const {
    const Bottleneck& block = net_.blocks[index];
    const bool isDual = block.downsample != Bottleneck::none;
    return {layer(block.conv3), isDual ? &layer(block.downsample) : nullptr, blockInput(index), mask(index)};
}

template <typename T>
void Network<T>::backwardBlock(std::size_t index, const GradientsReady& ready) {
    const Bottleneck& block = net_.blocks[index];
    const BlockBuffers& plan = plan_.blocks[index];
    const bool isLast = index + 1 == net_.blocks.size();
    const bool isDual = block.downsample != Bottleneck::none;
    const T* const input = blockInput(index);
    T* const dz = gradient(plan.incoming);
    if (!reachesBlockBefore(index + 1)) {
        steps_->sumBlockEnd(endOf(index), isLast ? nullptr : gradient(plan.shortcut), dz);
    }
    steps_->throughBlockEnd(endOf(index), dz, gradient(plan.conv3), gradient(plan.downsample));
    if (isDual) {
        finishLayer(block.downsample, input, gradient(plan.downsample), gradient(plan.around), ready);
    }
    finishInner(block.conv2, block.conv3, gradient(plan.conv3), gradient(plan.conv2), ready);
    finishInner(block.conv1, block.conv2, gradient(plan.conv2), gradient(plan.conv1), ready);
    if (reachesBlockBefore(index)) {
        steps_->weightGradient(layer(block.conv1), input, gradient(plan.conv1));
        steps_->dataGradientToBlockEnd(endOf(index - 1), layer(block.conv1), gradient(plan.conv1),
                                       gradient(plan.around), gradient(plan.input));
        ready(store_.layout().offset(weightOf(block.conv1)));
    } else {
        finishLayer(block.conv1, input, gradient(plan.conv1), gradient(plan.input), ready);
    }
}

template <typename T>
void Network<T>::backwardStem(const GradientsReady& ready) {
    const BlockBuffers& first = plan_.blocks.front();
    T* const stem = gradient(plan_.stem);
    steps_->beginOn(Work::Pooling, layer(0).rows, 1.5);
    maxPoolGradient(stream_, stemPooling(net_, problem_.batchSize),
                    static_cast<const T*>(gradient(first.input)),
                    static_cast<const T*>(gradient(first.around)), arena_.at<std::uint8_t>(winners_), stem);
    steps_->throughNormRelu(layer(0), stem);
    steps_->weightGradient(layer(0), at(input_), stem);
    ready(0);
}

// Of a layer that takes the block's input, from the gradient of its output.
template <typename T>
void Network<T>::finishLayer(int index, const T* input, const T* outputGradient, T* inputGradient,
                             const GradientsReady& ready) {
    steps_->weightGradient(layer(index), input, outputGradient);
    steps_->dataGradient(layer(index), outputGradient, inputGradient);
    ready(store_.layout().offset(weightOf(index)));
}

// Of a layer behind another one in the block, whose output's gradient `inputGradient` becomes.
template <typename T>
void Network<T>::finishInner(int before, int index, const T* outputGradient, T* inputGradient,
                             const GradientsReady& ready) {
    steps_->weightGradientBehind(layer(before), layer(index), outputGradient);
    steps_->dataGradientBehind(layer(before), layer(index), outputGradient, inputGradient);
    ready(store_.layout().offset(weightOf(index)));
    steps_->throughNormBehind(layer(before), layer(index), inputGradient);
}

template class Network<float>;
template class Network<__half>;
template class Network<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
