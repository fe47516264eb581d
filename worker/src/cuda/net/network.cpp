// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/network.h"

#include <algorithm>
#include <type_traits>

#include "base/numbers.h"
#include "cuda/kernels/kernels.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda {
namespace {

// A batch to time passes with, in memory of its own: images of noise, all of one class.
class NoiseBatch {
public:
    NoiseBatch(const Problem& problem, cudaStream_t stream) {
        const std::size_t images = asIndex(problem.batchSize);
        arena_.reserve(pixels_, images * asIndex(problem.imageSize) * asIndex(problem.imageSize) * 3);
        arena_.reserve(flips_, images);
        arena_.reserve(labels_, images);
        arena_.reserve(lossScale_, 1);
        arena_.allocate();
        fillWithNoise(arena_.data(), arena_.bytes(), stream);
        check(cudaMemsetAsync(labels_, 0, images * sizeof(std::int32_t), stream), "fill memory");
        // As in training, so that gradients do not vanish in fp16; smaller, as noise makes for larger
        // weights.
        fillWith(1024, lossScale_, 1, stream);
    }
    DeviceBatch batch() const { return {pixels_, labels_, flips_}; }
    const float* lossScale() const { return lossScale_; }

private:
    DeviceArena arena_;
    std::uint8_t* pixels_ = nullptr;
    std::uint8_t* flips_ = nullptr;
    std::int32_t* labels_ = nullptr;
    float* lossScale_ = nullptr;
};

}  // namespace

// Fusion

template <typename T>
Network<T>::Network(const ResNet50& net, const Problem& problem, const ParameterStore<T>& store,
                    Operators& operators, cudaStream_t stream)
    : net_(net),
      problem_(problem),
      store_(store),
      operators_(operators),
      stream_(stream),
      plan_(planGradientBuffers(net)) {
    // First, as choosing what to fuse takes memory that is free again afterwards.
    operators_.prepare(wantedOperators());
    const FusionCandidates candidates = fusionCandidates(net_, problem_, operators_, stream_);
    fusion_ = timePasses(candidates);
    const FusionStrategies& strategies = candidates.at(fusion_.policy);
    takeMemory({{fusion_.policy, strategies}});
    fuse(strategies);
}

template <typename T>
std::vector<Operators::Wanted> Network<T>::wantedOperators() const {
    std::vector<Operators::Wanted> wanted;
    for (const ConvLayer& conv : net_.convs) {
        const dnn::ConvolutionShape shape = dnn::shapeOf(conv, problem_.batchSize);
        wanted.push_back({Pass::Forward, shape});
        wanted.push_back({Pass::WeightGradient, shape});
        if (&conv != &net_.convs.front()) {
            wanted.push_back({Pass::DataGradient, shape});
        }
    }
    return wanted;
}

template <typename T>
FusionChoice Network<T>::timePasses(const FusionCandidates& candidates) {
    std::optional<NoiseBatch> noise;
    const auto prepare = [&] {
        takeMemory(candidates);
        fillWithNoise(reinterpret_cast<std::byte*>(store_.weight(0)), store_.layout().weights() * sizeof(T),
                      stream_);
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            fillWith(1, store_.vector(weightOf(static_cast<int>(i)) + 1), layers_[i].rows.channels, stream_);
        }
        noise.emplace(problem_, stream_);
    };
    const auto start = [&](const FusionStrategies& strategies) {
        fuse(strategies);
        forward(noise->batch(), noise->lossScale());
        backward([](std::size_t) {});
    };
    FusionChoice choice = chooseFusion(candidates, net_, problem_, operators_, {prepare, start});
    store_.clear(stream_);
    return choice;
}

template <typename T>
void Network<T>::fuse(const FusionStrategies& strategies) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        layers_[i].fusion = strategies[i];
    }
}

// Memory

// For any of the candidates; what was there before is free again.
template <typename T>
void Network<T>::takeMemory(const FusionCandidates& candidates) {
    arena_ = DeviceArena();
    layers_.assign(net_.convs.size(), {});
    reserveLayers(candidates);
    reserveActivations();
    arena_.allocate();
    if constexpr (std::is_same_v<T, float>) {
        logitGradients_ = logits_;
    }
    steps_.emplace(operators_, stream_, problem_.frozenNorm, scratch_);
}

template <typename T>
void Network<T>::reserveLayers(const FusionCandidates& candidates) {
    // Whether a layer makes what it takes again with some candidate, or stored with some.
    const auto some = [&](int index, bool prologue) {
        return std::ranges::any_of(candidates, [&](const auto& each) {
            return (each.second[asIndex(index)].forward == ForwardFusion::Prologue) == prologue;
        });
    };
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        ConvNorm<T>& layer = layers_[i];
        layer.shape = dnn::shapeOf(net_.convs[i], problem_.batchSize);
        layer.rows = layer.shape.outputRows();
        const std::size_t weight = weightOf(static_cast<int>(i));
        layer.filter = store_.weight(weight);
        layer.filterGradient = store_.weightGradient(weight);
        layer.parameters = {store_.vector(weight + 1), store_.vector(weight + 2)};
        layer.gradients = {store_.vectorGradient(weight + 1), store_.vectorGradient(weight + 2)};
        layer.reserve(arena_);
    }
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        const Bottleneck& block = net_.blocks[b];
        for (const auto& [before, index] :
             {std::pair(block.conv1, block.conv2), std::pair(block.conv2, block.conv3)}) {
            ConvNorm<T>& front = layers_[asIndex(before)];
            if (some(index, true)) {
                front.reserveFolded(arena_);
            }
            if (some(index, false)) {
                arena_.reserve(front.y, elementsOf(front.rows));
            }
        }
        if (b + 1 == net_.blocks.size() || !some(net_.blocks[b + 1].conv1, true)) {
            continue;
        }
        layers_[asIndex(block.conv3)].reserveFolded(arena_);
        if (block.downsample != Bottleneck::none) {
            layers_[asIndex(block.downsample)].reserveFolded(arena_);
        }
    }
}

template <typename T>
void Network<T>::reserveActivations() {
    std::size_t scratchFloats = lossScratchFloats(lossShape());
    std::size_t largest = 0;
    for (const ConvNorm<T>& layer : layers_) {
        scratchFloats = std::max(scratchFloats, normScratchFloats(layer.rows));
        largest = std::max(largest, elementsOf(layer.rows));
    }
    arena_.reserve(scratch_, scratchFloats);
    for (T*& buffer : buffers_) {
        arena_.reserve(buffer, largest);
    }
    blocks_.resize(net_.blocks.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::size_t elements = elementsOf(layer(net_.blocks[b].conv3).rows);
        arena_.reserve(blocks_[b].output, elements);
        arena_.reserve(blocks_[b].mask, elements / 8);
    }
    const auto batch = asIndex(problem_.batchSize);
    const Pooling stem = stemPooling(net_, problem_.batchSize);
    const std::size_t pooled = batch * stem.outSize * stem.outSize * stem.channels;
    const auto classes = asIndex(net_.classes);
    arena_.reserve(input_, batch * asIndex(net_.imageSize) * asIndex(net_.imageSize) * 4);
    arena_.reserve(pooled_, pooled);
    arena_.reserve(winners_, pooled);
    arena_.reserve(features_, batch * asIndex(net_.features));
    arena_.reserve(featureGradients_, batch * asIndex(net_.features));
    arena_.reserve(logits_, batch * classes);
    if (!std::is_same_v<T, float>) {
        arena_.reserve(logitGradients_, batch * classes);
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
    LayerTensors tensors{features_, store_.weight(linearWeight()), logitGradients_};
    if (pass == Pass::Forward) {
        tensors.output = logits_;
    }
    if (pass == Pass::DataGradient) {
        tensors.input = featureGradients_;
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
    normalizePixels(stream_, images, batch.pixels, batch.flips, input_);
    steps_->forward(layer(0), input_);
    steps_->beginOn(Work::Pooling, layer(0).rows, 1.25);
    normReluMaxPool(stream_, stemPooling(net_, problem_.batchSize), layer(0).x, layer(0).norm.affine(),
                    pooled_, winners_);
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
        steps_->endBlock(endOf(index), blocks_[index].output);
    }
}

template <typename T>
void Network<T>::forwardHead(const DeviceBatch& batch, const float* lossScale) {
    steps_->beginOn(Work::Pooling, layer(net_.blocks.back().conv3).rows, 1);
    meanPool(stream_, lastPooling(net_, problem_.batchSize), blocks_.back().output, features_);
    linear(Pass::Forward);
    const std::size_t bias = linearWeight() + 1;
    const LossTensors<T> tensors{
        logits_,         store_.vector(bias),        batch.labels, lossScale, store_.loss(),
        logitGradients_, store_.vectorGradient(bias)};
    steps_->begin(Work::Loss, static_cast<double>(lossShape().batch * lossShape().classes) *
                                  (2 * sizeof(float) + sizeof(T)));
    softmaxCrossEntropy(stream_, lossShape(), static_cast<float>(problem_.labelSmoothing), tensors, scratch_);
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
    meanPoolGradient(stream_, lastPooling(net_, problem_.batchSize), featureGradients_,
                     gradient(plan_.blocks.back().incoming));
}

template <typename T>
BlockEndLayers<T> Network<T>::endOf(std::size_t index) const {
    const Bottleneck& block = net_.blocks[index];
    const bool isDual = block.downsample != Bottleneck::none;
    return {layer(block.conv3), isDual ? &layer(block.downsample) : nullptr, blockInput(index),
            blocks_[index].mask};
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
    steps_->beginOn(Work::Pooling, layer(0).rows, 2.5);
    maxPoolReluSums<T>(stream_, stemPooling(net_, problem_.batchSize),
                       {layer(0).x, gradient(first.input), gradient(first.around), winners_},
                       layer(0).norm.affine(), layer(0).norm.mean, stem, scratch_);
    steps_->throughSummedNorm(layer(0), stem);
    steps_->weightGradient(layer(0), input_, stem);
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
