// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/network.h"

#include <algorithm>
#include <type_traits>

#include "cuda/kernels/pixels.h"

namespace dlperf::worker::cuda {
namespace {

std::size_t asIndex(int value) {
    return static_cast<std::size_t>(value);
}

/// Multiplications and additions of one pass over a convolution.
double operationsOf(const dnn::ConvolutionShape& shape) {
    return 2.0 * shape.batch * shape.outSize * shape.outSize * shape.outChannels * shape.inChannels *
           shape.kernel * shape.kernel;
}

double elementsOf(const dnn::Dimensions& dimensions) {
    double count = 1;
    for (const std::int64_t dimension : dimensions)
        count *= static_cast<double>(dimension);
    return count;
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

// Memory

template <typename T>
Network<T>::Network(const ResNet50& net, const Problem& problem, const ParameterStore<T>& store,
                    Products& products, cudaStream_t stream)
    : net_(net),
      problem_(problem),
      store_(store),
      products_(products),
      stream_(stream),
      plan_(planGradientBuffers(net)) {
    planLayers();
    reserveActivations();
    // First, as choosing among the ways to compute takes memory that is free again afterwards.
    products_.prepare(wantedProducts());
    arena_.allocate();
    resetStatistics();
}

template <typename T>
void Network<T>::planLayers() {
    const auto batch = asIndex(problem_.batchSize);
    std::size_t scratchFloats = lossScratchFloats(lossShape());
    std::size_t largest = 0;
    for (const ConvLayer& conv : net_.convs) {
        Layer layer;
        layer.shape = dnn::shapeOf(conv, problem_.batchSize);
        layer.rows = {batch * asIndex(conv.outSize) * asIndex(conv.outSize), asIndex(conv.outChannels)};
        layer.x = arena_.template reserve<T>(layer.rows.rows * layer.rows.channels);
        layer.norm = arena_.template reserve<float>((kNormArrays + 2) * layer.rows.channels);
        layer.weight = layers_.size() * 3;
        scratchFloats = std::max(scratchFloats, normScratchFloats(layer.rows));
        largest = std::max(largest, layer.rows.rows * layer.rows.channels);
        layers_.push_back(layer);
    }
    scratch_ = arena_.template reserve<float>(scratchFloats);
    for (std::size_t& buffer : buffers_)
        buffer = arena_.template reserve<T>(largest);
}

template <typename T>
void Network<T>::reserveActivations() {
    const auto elements = [this](int index) { return layer(index).rows.rows * layer(index).rows.channels; };
    for (const Bottleneck& block : net_.blocks) {
        for (const int inner : {block.conv1, block.conv2})
            layers_[asIndex(inner)].y = arena_.template reserve<T>(elements(inner));
        blockOutputs_.push_back(arena_.template reserve<T>(elements(block.conv3)));
        masks_.push_back(arena_.reserve(elements(block.conv3) / 8));
    }
    const auto batch = asIndex(problem_.batchSize);
    const Pooling stem = stemPooling();
    const std::size_t pooled = batch * stem.outSize * stem.outSize * stem.channels;
    const auto classes = asIndex(net_.classes);
    input_ = arena_.template reserve<T>(batch * asIndex(net_.imageSize) * asIndex(net_.imageSize) * 4);
    pooled_ = arena_.template reserve<T>(pooled);
    winners_ = arena_.reserve(pooled);
    features_ = arena_.template reserve<T>(batch * asIndex(net_.features));
    featureGradients_ = arena_.template reserve<T>(batch * asIndex(net_.features));
    logits_ = arena_.template reserve<float>(batch * classes);
    if (!std::is_same_v<T, float>) logitGradients_ = arena_.template reserve<T>(batch * classes);
}

template <typename T>
std::vector<Products::Wanted> Network<T>::wantedProducts() const {
    std::vector<Products::Wanted> wanted;
    for (const Layer& layer : layers_) {
        wanted.push_back({Pass::Forward, layer.shape});
        wanted.push_back({Pass::WeightGradient, layer.shape});
        if (&layer != &layers_.front()) wanted.push_back({Pass::DataGradient, layer.shape});
    }
    return wanted;
}

template <typename T>
T* Network<T>::logitGradients() const {
    if constexpr (std::is_same_v<T, float>)
        return arena_.at<float>(logits_);
    else
        return at(logitGradients_);
}

template <typename T>
NormMemory Network<T>::norm(int index) const {
    float* const first = arena_.at<float>(layer(index).norm);
    const auto array = [&](std::size_t k) { return first + k * layer(index).rows.channels; };
    return {array(0), array(1), array(2), array(3), array(4), array(5), array(6)};
}

template <typename T>
RunningStatistics Network<T>::running(int index) const {
    float* const first = arena_.at<float>(layer(index).norm) + kNormArrays * layer(index).rows.channels;
    return {first, first + layer(index).rows.channels};
}

template <typename T>
NormParameters Network<T>::normParameters(int index) const {
    const std::size_t weight = layer(index).weight;
    return {store_.vector(weight + 1), store_.vector(weight + 2)};
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
        check(cudaMemcpyAsync(running(i).mean, zeroThenOne.data(), zeroThenOne.size() * sizeof(float),
                              cudaMemcpyHostToDevice, stream_),
              "set the running statistics");
        check(cudaStreamSynchronize(stream_), "set the running statistics");
    }
}

template <typename T>
Pooling Network<T>::stemPooling() const {
    return {asIndex(problem_.batchSize), asIndex(net_.convs[0].outSize), asIndex(net_.pooledSize),
            asIndex(net_.convs[0].outChannels)};
}

template <typename T>
Pooling Network<T>::lastPooling() const {
    return {asIndex(problem_.batchSize), asIndex(net_.convs.back().outSize), 1, asIndex(net_.features)};
}

template <typename T>
LinearShape Network<T>::linearShape() const {
    return {problem_.batchSize, net_.features, net_.classes};
}

template <typename T>
LossShape Network<T>::lossShape() const {
    return {asIndex(problem_.batchSize), asIndex(net_.classes)};
}

// What both directions are made of

template <typename T>
void Network<T>::begin(Work work, double bytes, double operations) {
    if (observer_ != nullptr) observer_->begin(work, bytes, operations);
}

/// Of work that reads or writes `tensors` of the shape, and perhaps a mask.
template <typename T>
void Network<T>::beginOn(Work work, Rows rows, double tensors, bool mask) {
    const double elements = static_cast<double>(rows.rows * rows.channels);
    begin(work, elements * (tensors * sizeof(T) + (mask ? 0.125 : 0.0)));
}

/// `input` and `output` are what the pass reads or writes there: values or gradients.
template <typename T>
void Network<T>::convolve(Pass pass, int index, const T* input, const T* output) {
    const Layer& at = layer(index);
    T* const filter =
        pass == Pass::WeightGradient ? store_.weightGradient(at.weight) : store_.weight(at.weight);
    const double elements =
        elementsOf(at.shape.input()) + elementsOf(at.shape.filter()) + elementsOf(at.shape.output());
    begin(workOf(pass), elements * sizeof(T), operationsOf(at.shape));
    products_.run(pass, at.shape, {const_cast<T*>(input), filter, const_cast<T*>(output)});
}

template <typename T>
void Network<T>::linear(Pass pass) {
    const LinearShape shape = linearShape();
    const double batch = shape.batch, inputs = shape.inputs, outputs = shape.outputs;
    begin(Work::Linear, (batch * inputs + inputs * outputs + batch * outputs) * sizeof(T),
          2 * batch * inputs * outputs);
    LayerTensors tensors{at(features_), store_.weight(linearWeight()), logitGradients()};
    if (pass == Pass::Forward) tensors.output = arena_.at<float>(logits_);
    if (pass == Pass::DataGradient) tensors.input = at(featureGradients_);
    if (pass == Pass::WeightGradient) tensors.filter = store_.weightGradient(linearWeight());
    products_.run(pass, shape, tensors);
}

/// The statistics of what a convolution gave, and with them its normalisation.
template <typename T>
void Network<T>::observe(int index) {
    const Rows rows = layer(index).rows;
    if (problem_.frozenNorm) {
        normFreeze(stream_, rows.channels, normParameters(index), running(index), norm(index));
        return;
    }
    beginOn(Work::Statistics, rows, 1);
    normObserve(stream_, rows, x(index), normParameters(index), running(index), scratch(), norm(index));
}

// Forward

template <typename T>
void Network<T>::forward(const DeviceBatch& batch, const float* lossScale) {
    forwardStem(batch);
    for (std::size_t b = 0; b < net_.blocks.size(); ++b)
        forwardBlock(b);
    forwardHead(batch, lossScale);
}

template <typename T>
void Network<T>::forwardStem(const DeviceBatch& batch) {
    const auto size = asIndex(net_.imageSize);
    const Images images{asIndex(problem_.batchSize), size, size};
    begin(Work::Pixels, static_cast<double>(images.batch * size * size) * (3 + 4 * sizeof(T)));
    normalizePixels(stream_, images, batch.pixels, nullptr, at(input_));
    convolve(Pass::Forward, 0, at(input_), x(0));
    observe(0);
    beginOn(Work::Pooling, layer(0).rows, 1.25);
    normReluMaxPool(stream_, stemPooling(), x(0), norm(0).affine(), at(pooled_),
                    arena_.at<std::uint8_t>(winners_));
}

/// Convolution, normalisation and rectifier inside a block.
template <typename T>
void Network<T>::normalise(int index, const T* input) {
    convolve(Pass::Forward, index, input, x(index));
    observe(index);
    beginOn(Work::NormForward, layer(index).rows, 2);
    normRelu(stream_, layer(index).rows, x(index), norm(index).affine(), y(index), nullptr);
}

template <typename T>
void Network<T>::forwardBlock(std::size_t index) {
    const Bottleneck& block = net_.blocks[index];
    const T* const input = blockInput(index);
    normalise(block.conv1, input);
    normalise(block.conv2, y(block.conv1));
    convolve(Pass::Forward, block.conv3, y(block.conv2), x(block.conv3));
    observe(block.conv3);
    const Rows rows = layer(block.conv3).rows;
    const Affine affine = norm(block.conv3).affine();
    T* const output = at(blockOutputs_[index]);
    if (block.downsample == Bottleneck::none) {
        beginOn(Work::NormForward, rows, 3, true);
        normAddRelu(stream_, rows, x(block.conv3), affine, input, output, mask(index));
    } else {
        convolve(Pass::Forward, block.downsample, input, x(block.downsample));
        observe(block.downsample);
        beginOn(Work::NormForward, rows, 3, true);
        normAddNormRelu(stream_, rows, x(block.conv3), affine, x(block.downsample),
                        norm(block.downsample).affine(), output, mask(index));
    }
}

template <typename T>
void Network<T>::forwardHead(const DeviceBatch& batch, const float* lossScale) {
    beginOn(Work::Pooling, layer(net_.blocks.back().conv3).rows, 1);
    meanPool(stream_, lastPooling(), at(blockOutputs_.back()), at(features_));
    linear(Pass::Forward);
    const std::size_t bias = linearWeight() + 1;
    const LossTensors<float, T> tensors{
        arena_.at<float>(logits_), store_.vector(bias),        batch.labels, lossScale, store_.loss(),
        logitGradients(),          store_.vectorGradient(bias)};
    begin(Work::Loss,
          static_cast<double>(lossShape().batch * lossShape().classes) * (2 * sizeof(float) + sizeof(T)));
    softmaxCrossEntropy(stream_, lossShape(), static_cast<float>(problem_.labelSmoothing), tensors,
                        scratch());
}

// Backward

template <typename T>
void Network<T>::backward(const GradientsReady& ready) {
    backwardHead(ready);
    for (std::size_t b = net_.blocks.size(); b-- > 0;)
        backwardBlock(b, ready);
    backwardStem(ready);
}

template <typename T>
void Network<T>::backwardHead(const GradientsReady& ready) {
    linear(Pass::WeightGradient);
    ready(store_.layout().offset(linearWeight()));
    linear(Pass::DataGradient);
    beginOn(Work::Pooling, layer(net_.blocks.back().conv3).rows, 1);
    meanPoolGradient(stream_, lastPooling(), static_cast<const T*>(at(featureGradients_)),
                     gradient(plan_.blocks.back().incoming));
}

/// The sums over pixels as the gradients of a normalisation's parameters and as its NormGradient.
template <typename T>
void Network<T>::absorb(int index, Branch branch) {
    const std::size_t weight = layer(index).weight;
    normAbsorb(stream_, layer(index).rows, scratch(), branch, normParameters(index).gamma,
               problem_.frozenNorm, {store_.vectorGradient(weight + 1), store_.vectorGradient(weight + 2)},
               norm(index));
}

/// From the gradient of the block's output to those of the outputs of the convolutions that end there.
template <typename T>
void Network<T>::backwardBlockEnd(std::size_t index) {
    const Bottleneck& block = net_.blocks[index];
    const BlockBuffers& plan = plan_.blocks[index];
    const Rows rows = layer(block.conv3).rows;
    const bool isLast = index + 1 == net_.blocks.size();
    const bool isDual = block.downsample != Bottleneck::none;
    T* const dz = gradient(plan.incoming);
    const T* const shortcut = isLast ? nullptr : gradient(plan.shortcut);
    BlockEnd<T> end{x(block.conv3), norm(block.conv3).mean, nullptr, nullptr};
    if (isDual) {
        end.x2 = x(block.downsample);
        end.mean2 = norm(block.downsample).mean;
    }
    beginOn(Work::NormSums, rows, 3.0 + (isLast ? 0 : 1) + (isDual ? 1 : 0), true);
    blockSums(stream_, rows, static_cast<const T*>(dz), shortcut, mask(index), end, dz, scratch());
    absorb(block.conv3, isDual ? Branch::Main : Branch::Only);
    const NormGradient main = norm(block.conv3).gradient();
    if (isDual) {
        absorb(block.downsample, Branch::Shortcut);
        beginOn(Work::NormGradient, rows, 5);
        normGradients(stream_, rows, static_cast<const T*>(dz), static_cast<const T*>(x(block.conv3)), main,
                      gradient(plan.conv3), static_cast<const T*>(x(block.downsample)),
                      norm(block.downsample).gradient(), gradient(plan.downsample));
    } else {
        beginOn(Work::NormGradient, rows, 3);
        normGradient(stream_, rows, static_cast<const T*>(dz), static_cast<const T*>(x(block.conv3)), main,
                     gradient(plan.conv3));
    }
}

template <typename T>
void Network<T>::backwardBlock(std::size_t index, const GradientsReady& ready) {
    const Bottleneck& block = net_.blocks[index];
    const BlockBuffers& plan = plan_.blocks[index];
    const T* const input = blockInput(index);
    backwardBlockEnd(index);
    if (block.downsample != Bottleneck::none)
        finishLayer(block.downsample, input, gradient(plan.downsample), gradient(plan.around), ready);
    finishLayer(block.conv3, y(block.conv2), gradient(plan.conv3), gradient(plan.conv2), ready);
    throughNormRelu(block.conv2, gradient(plan.conv2));
    finishLayer(block.conv2, y(block.conv1), gradient(plan.conv2), gradient(plan.conv1), ready);
    throughNormRelu(block.conv1, gradient(plan.conv1));
    finishLayer(block.conv1, input, gradient(plan.conv1), gradient(plan.input), ready);
}

template <typename T>
void Network<T>::backwardStem(const GradientsReady& ready) {
    const BlockBuffers& first = plan_.blocks.front();
    T* const stem = gradient(plan_.stem);
    beginOn(Work::Pooling, layer(0).rows, 1.5);
    maxPoolGradient(stream_, stemPooling(), static_cast<const T*>(gradient(first.input)),
                    static_cast<const T*>(gradient(first.around)), arena_.at<std::uint8_t>(winners_), stem);
    throughNormRelu(0, stem);
    convolve(Pass::WeightGradient, 0, at(input_), stem);
    ready(0);
}

/// `gradient` of the layer's normalised and rectified output becomes that of its convolution's output.
template <typename T>
void Network<T>::throughNormRelu(int index, T* gradient) {
    const Rows rows = layer(index).rows;
    const Rectifier rectifier{nullptr, norm(index).affine()};
    const T* const input = x(index);
    beginOn(Work::NormSums, rows, 2);
    normReluSums(stream_, rows, static_cast<const T*>(gradient), input, rectifier, norm(index).mean,
                 scratch());
    absorb(index, Branch::Only);
    beginOn(Work::NormGradient, rows, 3);
    normReluGradient(stream_, rows, static_cast<const T*>(gradient), input, rectifier, norm(index).gradient(),
                     gradient);
}

template <typename T>
void Network<T>::finishLayer(int index, const T* input, const T* outputGradient, T* inputGradient,
                             const GradientsReady& ready) {
    convolve(Pass::WeightGradient, index, input, outputGradient);
    convolve(Pass::DataGradient, index, inputGradient, outputGradient);
    ready(store_.layout().offset(layer(index).weight));
}

template class Network<float>;
template class Network<__half>;
template class Network<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
