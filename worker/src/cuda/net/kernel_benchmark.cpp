// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/kernel_benchmark.h"

#include <algorithm>
#include <vector>

#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda {
namespace {

std::size_t asIndex(int value) {
    return static_cast<std::size_t>(value);
}

Rows rowsOf(int batch, int size, int channels) {
    return {asIndex(batch) * asIndex(size) * asIndex(size), asIndex(channels)};
}

std::size_t elements(Rows rows) {
    return rows.rows * rows.channels;
}

// A normalisation's vectors of fp32: NormMemory's, and two each of parameters, gradients and statistics.
constexpr std::size_t vectorArrays = 13;

}  // namespace

KernelBenchmark::KernelBenchmark(ConvPosition position, const dnn::ConvolutionShape& shape,
                                 Operators& operators, cudaStream_t stream)
    : position_(position), operators_(operators), stream_(stream) {
    const Rows inputs = rowsOf(shape.batch, shape.inSize, shape.inChannels);
    const Rows outputs = rowsOf(shape.batch, shape.outSize, shape.outChannels);
    const std::size_t filterSize =
        asIndex(shape.outChannels) * asIndex(shape.kernel) * asIndex(shape.kernel) * inputs.channels;
    const Memory before = reserve(inputs);
    const Memory layer = reserve(outputs);
    const Memory around = position_ == ConvPosition::BehindDual ? reserve(inputs) : Memory{};
    const std::size_t y = arena_.reserve<T>(elements(inputs));
    const std::size_t gradients[] = {arena_.reserve<T>(elements(outputs)),
                                     arena_.reserve<T>(elements(inputs))};
    const std::size_t filters[] = {arena_.reserve<T>(filterSize), arena_.reserve<T>(filterSize)};
    const std::size_t folded[] = {arena_.reserve<T>(2 * inputs.channels),
                                  arena_.reserve<T>(2 * inputs.channels)};
    const std::size_t scratch =
        arena_.reserve<float>(std::max(normScratchFloats(inputs), normScratchFloats(outputs)));
    const std::size_t behind = isBehindBlock() ? elements(inputs) : 0;
    const std::size_t others[] = {arena_.reserve<T>(behind), arena_.reserve<T>(behind)};
    const std::size_t mask = arena_.reserve(behind / 8);
    arena_.allocate();
    fillWithNoise(arena_.at<std::byte>(0), arena_.bytes(), stream_);

    before_ = bind(shape, inputs, before);
    before_.y = arena_.at<T>(y);
    before_.norm.folded = {arena_.at<T>(folded[0]), arena_.at<T>(folded[0]) + inputs.channels};
    around_ = bind(shape, inputs, around);
    around_.norm.folded = {arena_.at<T>(folded[1]), arena_.at<T>(folded[1]) + inputs.channels};
    layer_ = bind(shape, outputs, layer);
    layer_.filter = arena_.at<T>(filters[0]);
    layer_.filterGradient = arena_.at<T>(filters[1]);
    gradient_ = arena_.at<T>(gradients[0]);
    inputGradient_ = arena_.at<T>(gradients[1]);
    otherGradient_ = arena_.at<T>(others[0]);
    shortcut_ = arena_.at<T>(others[1]);
    mask_ = arena_.at<std::uint8_t>(mask);
    scratch_ = arena_.at<float>(scratch);
    normalise(before_);
    if (position_ == ConvPosition::BehindDual) {
        normalise(around_);
    }
}

// Makes a normalisation's vectors fit what it is applied to. Noise of fp16 is next to nothing as fp32, and
// what is normalised by it would be zeros, on which a GPU is faster.
void KernelBenchmark::normalise(const ConvNorm<T>& layer) const {
    const std::vector<float> ones(layer.rows.channels, 1.0F);
    check(cudaMemcpyAsync(const_cast<float*>(layer.parameters.gamma), ones.data(),
                          ones.size() * sizeof(float), cudaMemcpyHostToDevice, stream_),
          "set up a benchmark");
    check(cudaStreamSynchronize(stream_), "set up a benchmark");
    normStatistics(stream_, layer.rows, static_cast<const T*>(layer.x), layer.parameters, {nullptr, nullptr},
                   scratch_, layer.norm);
}

KernelBenchmark::Memory KernelBenchmark::reserve(Rows rows) {
    return {arena_.reserve<T>(elements(rows)), arena_.reserve<float>(vectorArrays * rows.channels)};
}

ConvNorm<KernelBenchmark::T> KernelBenchmark::bind(const dnn::ConvolutionShape& shape, Rows rows,
                                                   const Memory& memory) const {
    const auto vector = [&](std::size_t k) { return arena_.at<float>(memory.vectors) + k * rows.channels; };
    ConvNorm<T> bound;
    bound.shape = shape;
    bound.rows = rows;
    bound.x = arena_.at<T>(memory.x);
    bound.norm = {vector(0), vector(1), vector(2), vector(3), vector(4), vector(5), vector(6)};
    bound.parameters = {vector(7), vector(8)};
    bound.gradients = {vector(9), vector(10)};
    bound.running = {vector(11), vector(12)};
    return bound;
}

BlockEndLayers<KernelBenchmark::T> KernelBenchmark::blockEnd() const {
    return {before_, position_ == ConvPosition::BehindDual ? &around_ : nullptr, shortcut_, mask_};
}

ConvNormSteps<KernelBenchmark::T> KernelBenchmark::steps() const {
    return {operators_, stream_, false, scratch_};
}

void KernelBenchmark::forward(ForwardFusion choice) {
    layer_.fusion.forward = choice;
    if (position_ == ConvPosition::Inside) {
        steps().forwardBehind(before_, layer_);
        steps().weightGradientBehind(before_, layer_, gradient_);
    } else if (choice == ForwardFusion::Prologue) {
        steps().forwardFromBlockEnd(blockEnd(), layer_, before_.y);
    } else {
        if (isBehindBlock()) {
            steps().endBlock(blockEnd(), before_.y);
        }
        steps().forward(layer_, before_.y);
    }
}

void KernelBenchmark::dataGradient(bool dataNorm) {
    layer_.fusion.dataNorm = dataNorm;
    if (position_ == ConvPosition::Inside) {
        steps().dataGradientBehind(before_, layer_, gradient_, inputGradient_);
        steps().throughNormBehind(before_, layer_, inputGradient_);
    } else if (dataNorm) {
        steps().dataGradientToBlockEnd(blockEnd(), layer_, gradient_, otherGradient_, inputGradient_);
    } else {
        steps().dataGradient(layer_, gradient_, inputGradient_);
        if (isBehindBlock()) {
            steps().sumBlockEnd(blockEnd(), otherGradient_, inputGradient_);
        }
    }
}

}  // namespace dlperf::worker::cuda
