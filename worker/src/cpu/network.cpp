// SPDX-License-Identifier: Apache-2.0
#include "cpu/network.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include "base/numbers.h"

namespace dlperf::worker::cpu {

void Arena::Free::operator()(std::byte* block) const {
    std::free(block);
}

void Arena::allocate() {
    constexpr std::size_t hugePage = 2U << 20;
    const std::size_t size = roundedUp(bytes_, hugePage);
    auto* block = static_cast<std::byte*>(std::aligned_alloc(hugePage, size));
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    block_.reset(block);
    // Only a hint: without huge pages it is slower, not wrong.
    madvise(block, size, MADV_HUGEPAGE);
    std::memset(block, 0, size);
}

void ParameterStore::add(std::size_t count) {
    const std::size_t bytes = count * sizeof(float);
    offsets_.push_back(weights_.reserve(bytes) / sizeof(float));
    momentum_.reserve(bytes);
    gradients_.reserve(bytes);
}

void ParameterStore::allocate() {
    gradients_.reserve(sizeof(float));
    weights_.allocate();
    momentum_.allocate();
    gradients_.allocate();
}
namespace {

float valueOf(float x) {
    return x;
}
float valueOf(Bf16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

}  // namespace

BatchNorm::BatchNorm(Rows shape, bool frozen)
    : shape_(shape),
      frozen_(frozen),
      mean_(shape.channels),
      inverseDeviation_(shape.channels),
      scale_(shape.channels),
      shift_(shape.channels),
      gain_(shape.channels),
      slope_(shape.channels),
      offset_(shape.channels) {}

void BatchNorm::bind(const float* gamma, const float* beta, float* gammaGradient, float* betaGradient) {
    gamma_ = gamma;
    beta_ = beta;
    gammaGradient_ = gammaGradient;
    betaGradient_ = betaGradient;
}

template <typename T>
void BatchNorm::updateStatistics(const ActivationKernels<T>& run, const T* x, Scratch scratch, double* sums) {
    if (frozen_) {
        for (std::size_t c = 0; c < shape_.channels; ++c) {
            setAffine(c, frozenMoments());
        }
        return;
    }
    run.statistics(shape_, x, scratch, sums);
    const auto rows = static_cast<double>(shape_.rows);
    for (std::size_t c = 0; c < shape_.channels; ++c) {
        const auto pivot = static_cast<double>(valueOf(x[c]));
        setAffine(c, momentsOf(pivot, sums[c], sums[shape_.channels + c], rows));
    }
}

template void BatchNorm::updateStatistics(const ActivationKernels<float>&, const float*, Scratch, double*);
template void BatchNorm::updateStatistics(const ActivationKernels<Bf16>&, const Bf16*, Scratch, double*);

void BatchNorm::setAffine(std::size_t channel, Moments moments) {
    const NormValues values = normValues(moments, gamma_[channel], beta_[channel]);
    mean_[channel] = values.mean;
    inverseDeviation_[channel] = values.inverseDeviation;
    scale_[channel] = values.scale;
    shift_[channel] = values.shift;
}

void BatchNorm::foldGradients(const double* dzSums, const double* dzCentredSums) {
    const auto rows = static_cast<double>(shape_.rows);
    for (std::size_t c = 0; c < shape_.channels; ++c) {
        const NormGradientValues values = normGradientValues(dzSums[c], dzCentredSums[c], rows, gamma_[c],
                                                             mean_[c], inverseDeviation_[c], frozen_);
        gammaGradient_[c] = values.gamma;
        betaGradient_[c] = values.beta;
        gain_[c] = values.gain;
        slope_[c] = values.slope;
        offset_[c] = values.offset;
    }
}
namespace {

// One image: returns its loss, leaves the gradient (times `share`) in `row`.
double oneImage(std::span<float> row, std::size_t label, double smoothing, double share) {
    const auto classes = static_cast<double>(row.size());
    const float highest = *std::max_element(row.begin(), row.end());
    double total = 0;
    double logitSum = 0;
    for (const float logit : row) {
        total += std::exp(static_cast<double>(logit - highest));
        logitSum += static_cast<double>(logit);
    }
    const double logTotal = std::log(total) + static_cast<double>(highest);
    const double onLabel = logTotal - static_cast<double>(row[label]);
    const double onAll = logTotal - logitSum / classes;

    for (std::size_t c = 0; c < row.size(); ++c) {
        const double target = smoothing / classes + (c == label ? 1 - smoothing : 0);
        const double probability = std::exp(static_cast<double>(row[c]) - logTotal);
        row[c] = static_cast<float>((probability - target) * share);
    }
    return (1 - smoothing) * onLabel + smoothing * onAll;
}

// Softmax cross-entropy of logits + bias against labels, the mean over the batch, with label smoothing as in
// PyTorch. Replaces `logits` (batch x classes) by the loss's gradient and sets `biasGradient`.
float softmaxCrossEntropy(std::span<float> logits, std::span<const float> bias,
                          std::span<const std::int32_t> labels, double smoothing,
                          std::span<float> biasGradient) {
    const std::size_t classes = bias.size();
    const double share = 1.0 / static_cast<double>(labels.size());
    std::fill(biasGradient.begin(), biasGradient.end(), 0.0F);
    double loss = 0;
    for (std::size_t image = 0; image < labels.size(); ++image) {
        const std::span<float> row = logits.subspan(image * classes, classes);
        for (std::size_t c = 0; c < classes; ++c) {
            row[c] += bias[c];
        }
        loss += oneImage(row, static_cast<std::size_t>(labels[image]), smoothing, share) * share;
        for (std::size_t c = 0; c < classes; ++c) {
            biasGradient[c] += row[c];
        }
    }
    return static_cast<float>(loss);
}

template <typename T>
constexpr dnnl::memory::data_type activationType =
    std::is_same_v<T, float> ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16;

constexpr std::size_t parametersPerConv = 3;

std::size_t weightOf(std::size_t layer) {
    return layer * parametersPerConv;
}
}  // namespace

template <typename T>
Network<T>::Network(const ResNet50& net, const Problem& problem, ParameterStore& store)
    : net_(net),
      problem_(problem),
      store_(store),
      run_(activationKernels<T>()),
      plan_(planGradientBuffers(net)) {
    const auto batch = asIndex(problem.batchSize);
    std::size_t widest = 0;
    for (std::size_t i = 0; i < net_.convs.size(); ++i) {
        const ConvLayer& conv = net_.convs[i];
        const std::size_t channels = asIndex(conv.outChannels);
        layers_.emplace_back(engine_, conv, problem.batchSize, activationType<T>, i != 0);
        norms_.emplace_back(Rows{batch * asIndex(conv.outSize) * asIndex(conv.outSize), channels},
                            problem.frozenNorm);
        store_.add(layers_.back().masterBytes() / sizeof(float));
        store_.add(channels);
        store_.add(channels);
        widest = std::max(widest, channels);
    }
    layers_.emplace_back(engine_, problem.batchSize, net_.features, net_.classes, activationType<T>);
    store_.add(layers_.back().masterBytes() / sizeof(float));
    store_.add(asIndex(net_.classes));

    sums_.resize(maxSums * widest);
    reserveActivations();
    for (WeightedLayer& layer : layers_) {
        const std::size_t forward = copies_.reserve(layer.forwardCopyBytes());
        copyOffsets_.emplace_back(forward, copies_.reserve(layer.backwardCopyBytes()));
    }
    const auto threads = asIndex(problem.threads);
    partials_ = working_.reserve(threads * maxSums * widest * sizeof(float));
    perThread_ = working_.reserve(threads * maxSums * widest * sizeof(double));
    scratchpad_ = working_.reserve(engine_.scratchBytes);
}

template <typename T>
std::size_t Network<T>::elements(int layer) const {
    const Rows& shape = norms_[asIndex(layer)].shape();
    return shape.rows * shape.channels;
}

template <typename T>
void Network<T>::reserveActivations() {
    const auto batch = asIndex(problem_.batchSize);
    const auto reserve = [this](std::size_t count) { return activations_.reserve(count * sizeof(T)); };
    std::size_t largest = 0;
    for (int i = 0; i < static_cast<int>(net_.convs.size()); ++i) {
        convOutputs_.push_back(reserve(elements(i)));
        largest = std::max(largest, elements(i));
    }
    convInputs_.resize(net_.convs.size());
    for (const Bottleneck& block : net_.blocks) {
        for (const int layer : {block.conv1, block.conv2}) {
            convInputs_[asIndex(layer)] = reserve(elements(layer));
        }
        blockOutputs_.push_back(reserve(elements(block.conv3)));
    }
    const Pooling stem = stemPooling(net_, problem_.batchSize);
    const std::size_t pooledCount = batch * stem.outSize * stem.outSize * stem.channels;
    const auto classes = asIndex(net_.classes);
    input_ = reserve(batch * asIndex(net_.imageSize) * asIndex(net_.imageSize) * 3);
    pooled_ = reserve(pooledCount);
    winners_ = activations_.reserve(pooledCount);
    features_ = reserve(batch * asIndex(net_.features));
    featureGradients_ = reserve(batch * asIndex(net_.features));
    logits_ = activations_.reserve(batch * classes * sizeof(float));
    logitGradients_ = reserve(batch * classes);
    for (std::size_t& buffer : buffers_) {
        buffer = working_.reserve(largest * sizeof(T));
    }
}

template <typename T>
std::size_t Network<T>::bytes() const {
    return activations_.bytes() + copies_.bytes() + working_.bytes();
}

template <typename T>
void Network<T>::build() {
    activations_.allocate();
    copies_.allocate();
    working_.allocate();
    scratch_ = {working_.at<float>(partials_), working_.at<double>(perThread_)};
    engine_.scratch = working_.at<void>(scratchpad_);
    for (std::size_t i = 0; i < norms_.size(); ++i) {
        const std::size_t gamma = weightOf(i) + 1;
        norms_[i].bind(store_.weights(gamma), store_.weights(gamma + 1), store_.gradients(gamma),
                       store_.gradients(gamma + 1));
    }
    bindTensors();
}

// Primitives are bound to memory, so it is fixed here which buffer holds what in the backward pass.
template <typename T>
void Network<T>::bindTensors() {
    const std::size_t last = net_.convs.size();
    bindLayer(last, {at(features_), activations_.at<float>(logits_), logitGradient(), at(featureGradients_)});
    const auto x = [this](int layer) { return at(convOutputs_[asIndex(layer)]); };
    const auto y = [this](int layer) { return at(convInputs_[asIndex(layer)]); };
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        const Bottleneck& block = net_.blocks[b];
        const BlockBuffers& plan = plan_.blocks[b];
        const T* input = b == 0 ? at(pooled_) : at(blockOutputs_[b - 1]);
        if (block.downsample != Bottleneck::none) {
            bindLayer(asIndex(block.downsample),
                      {input, x(block.downsample), gradient(plan.downsample), gradient(plan.around)});
        }
        bindLayer(asIndex(block.conv3),
                  {y(block.conv2), x(block.conv3), gradient(plan.conv3), gradient(plan.conv2)});
        bindLayer(asIndex(block.conv2),
                  {y(block.conv1), x(block.conv2), gradient(plan.conv2), gradient(plan.conv1)});
        bindLayer(asIndex(block.conv1), {input, x(block.conv1), gradient(plan.conv1), gradient(plan.input)});
    }
    bindLayer(0, {at(input_), at(convOutputs_[0]), gradient(plan_.stem), nullptr});
}

template <typename T>
void Network<T>::bindLayer(std::size_t layer, LayerMemory memory) {
    memory.weights = store_.weights(weightOf(layer));
    memory.weightsGradient = store_.gradients(weightOf(layer));
    memory.forwardWeights = copies_.at<void>(copyOffsets_[layer].first);
    memory.backwardWeights = copies_.at<void>(copyOffsets_[layer].second);
    layers_[layer].bind(memory);
}

template <typename T>
void Network<T>::refreshWeightCopies() {
    for (WeightedLayer& layer : layers_) {
        layer.refreshCopies();
    }
}

template <typename T>
T* Network<T>::logitGradient() const {
    // In fp32 the loss leaves its gradient in place of the logits.
    if constexpr (std::is_same_v<T, float>) {
        return activations_.at<float>(logits_);
    } else {
        return at(logitGradients_);
    }
}

template <typename T>
float Network<T>::forward(const Batch& batch) {
    run_.normalizePixels(batch.pixels.data(), batch.pixels.size() / 3, at(input_));
    // The stem's output is needed no longer than for the pooling: a buffer of the backward pass holds it.
    T* stemOutput = gradient(plan_.stem);
    normRelu(0, stemOutput);
    run_.maxPool(stemPooling(net_, problem_.batchSize), stemOutput, at(pooled_),
                 activations_.at<std::uint8_t>(winners_));
    for (std::size_t b = 0; b < net_.blocks.size(); ++b) {
        forwardBlock(b);
    }

    run_.meanPool(lastPooling(net_, problem_.batchSize), at(blockOutputs_.back()), at(features_));
    layers_.back().forward();

    const auto classes = asIndex(net_.classes);
    const std::size_t bias = weightOf(net_.convs.size()) + 1;
    const std::span<float> logits(activations_.at<float>(logits_), batch.labels.size() * classes);
    const float loss = softmaxCrossEntropy(logits, {store_.weights(bias), classes}, batch.labels,
                                           problem_.labelSmoothing, {store_.gradients(bias), classes});
    if constexpr (!std::is_same_v<T, float>) {
        run_.fromFloats(logits.data(), logits.size(), logitGradient());
    }
    return loss;
}

// Convolution, then the statistics of what it gave.
template <typename T>
const T* Network<T>::convolve(int layer) {
    const std::size_t i = asIndex(layer);
    layers_[i].forward();
    const T* x = at(convOutputs_[i]);
    norms_[i].updateStatistics(run_, x, scratch_, sums_.data());
    return x;
}

template <typename T>
void Network<T>::normRelu(int layer, T* y) {
    const T* x = convolve(layer);
    run_.normRelu(norms_[asIndex(layer)].shape(), x, norms_[asIndex(layer)].affine(), y);
}

template <typename T>
void Network<T>::forwardBlock(std::size_t index) {
    const Bottleneck& block = net_.blocks[index];
    normRelu(block.conv1, at(convInputs_[asIndex(block.conv1)]));
    normRelu(block.conv2, at(convInputs_[asIndex(block.conv2)]));
    const T* x = convolve(block.conv3);
    const BatchNorm& norm = norms_[asIndex(block.conv3)];
    T* y = at(blockOutputs_[index]);
    if (block.downsample == Bottleneck::none) {
        run_.normAddRelu(norm.shape(), x, norm.affine(), at(blockOutputs_[index - 1]), y);
    } else {
        const T* around = convolve(block.downsample);
        run_.normAddNormRelu(norm.shape(), x, norm.affine(), around,
                             norms_[asIndex(block.downsample)].affine(), y);
    }
}

template <typename T>
void Network<T>::backward(const Backend::GradientsReady& ready) {
    const int last = static_cast<int>(net_.convs.size());
    finishLayer(last, ready);
    run_.meanPoolGradient(lastPooling(net_, problem_.batchSize), at(featureGradients_),
                          gradient(plan_.blocks.back().incoming));
    for (std::size_t b = net_.blocks.size(); b-- > 0;) {
        backwardBlock(b, ready);
    }

    const BlockBuffers& first = plan_.blocks.front();
    T* stem = gradient(plan_.stem);
    run_.maxPoolGradient(stemPooling(net_, problem_.batchSize), gradient(first.input), gradient(first.around),
                         activations_.at<std::uint8_t>(winners_), stem);
    throughNormRelu(0, stem);
    layers_[0].weightsGradient();
    ready(0);
}

template <typename T>
void Network<T>::backwardBlock(std::size_t index, const Backend::GradientsReady& ready) {
    const Bottleneck& block = net_.blocks[index];
    const BlockBuffers& plan = plan_.blocks[index];
    const auto x = [this](int layer) -> const T* { return at(convOutputs_[asIndex(layer)]); };
    BatchNorm& norm = norms_[asIndex(block.conv3)];
    const Rows shape = norm.shape();
    T* dz = gradient(plan.incoming);
    const T* shortcut = index + 1 == net_.blocks.size() ? nullptr : gradient(plan.shortcut);
    const T* y = at(blockOutputs_[index]);
    const double* sums = sums_.data();

    if (block.downsample == Bottleneck::none) {
        run_.blockSums(shape, dz, shortcut, y, x(block.conv3), norm.mean(), nullptr, nullptr, scratch_,
                       sums_.data());
    } else {
        BatchNorm& around = norms_[asIndex(block.downsample)];
        run_.blockSums(shape, dz, shortcut, y, x(block.conv3), norm.mean(), x(block.downsample),
                       around.mean(), scratch_, sums_.data());
        around.foldGradients(sums, sums + 2 * shape.channels);
        run_.normGradient(shape, dz, x(block.downsample), around.gradient(), gradient(plan.downsample));
        finishLayer(block.downsample, ready);
    }
    norm.foldGradients(sums, sums + shape.channels);
    run_.normGradient(shape, dz, x(block.conv3), norm.gradient(), gradient(plan.conv3));
    finishLayer(block.conv3, ready);
    throughNormRelu(block.conv2, gradient(plan.conv2));
    finishLayer(block.conv2, ready);
    throughNormRelu(block.conv1, gradient(plan.conv1));
    finishLayer(block.conv1, ready);
}

// `gradient` of the layer's normalised, rectified output becomes that of its convolution's output.
template <typename T>
void Network<T>::throughNormRelu(int layer, T* gradient) {
    BatchNorm& norm = norms_[asIndex(layer)];
    const Rows shape = norm.shape();
    const T* x = at(convOutputs_[asIndex(layer)]);
    run_.normReluSums(shape, gradient, x, norm.affine(), norm.mean(), scratch_, sums_.data());
    norm.foldGradients(sums_.data(), sums_.data() + shape.channels);
    run_.normReluGradient(shape, gradient, x, norm.affine(), norm.gradient(), gradient);
}

template <typename T>
void Network<T>::finishLayer(int layer, const Backend::GradientsReady& ready) {
    layers_[asIndex(layer)].weightsGradient();
    layers_[asIndex(layer)].inputGradient();
    ready(store_.offsets()[weightOf(asIndex(layer))]);
}

template class Network<float>;
template class Network<Bf16>;

}  // namespace dlperf::worker::cpu
