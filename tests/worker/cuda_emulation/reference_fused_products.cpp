// SPDX-License-Identifier: Apache-2.0
#include "reference_fused_products.h"

#include <cmath>
#include <cstdint>

#include "convolution_loops.h"
#include "failure.h"
#include "runtime.h"
#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

using dnn::ConvolutionShape;

[[noreturn]] void refuse(const ConvolutionShape& shape, const char* why) {
    throw Failure(ExitCode::Backend, "reference products: fused " + shape.text() + ' ' + why);
}

float rounded(float x) {
    return __half2float(__float2half_rn(x));
}

float rectified(float x) {
    return x <= 0 ? 0 : x;
}

std::vector<float> stored(const ConvolutionShape& shape, const FusedTensors& tensors) {
    return load<__half>(tensors.input, shape.input());
}

/// relu(scale * input + shift).
std::vector<float> normalised(const ConvolutionShape& shape, const FusedTensors& tensors) {
    std::vector<float> values = stored(shape, tensors);
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scale = toFloat(tensors.norm.folded.scale[i % channels]);
        const float shift = toFloat(tensors.norm.folded.shift[i % channels]);
        values[i] = rounded(rectified(values[i] * scale + shift));
    }
    return values;
}

void forwardStatistics(const ConvolutionShape& shape, const FusedTensors& tensors,
                       const std::vector<float>& input) {
    std::vector<float> output(count(shape.output()));
    forwardLoops(shape, input.data(), load<__half>(tensors.filter, shape.filter()).data(), output.data());
    store<__half>(output, tensors.output);
    const auto channels = static_cast<std::size_t>(shape.outChannels);
    std::vector<float> sums(2 * channels);
    for (std::size_t i = 0; i < output.size(); ++i) {
        const float value = rounded(output[i]);
        sums[i % channels] += value;
        sums[channels + i % channels] += value * value;
    }
    store<float>(sums, tensors.sums);
}

void normWeightGradient(const ConvolutionShape& shape, const FusedTensors& tensors) {
    std::vector<float> filter(count(shape.filter()));
    weightGradientLoops(shape, normalised(shape, tensors).data(), filter.data(),
                        load<__half>(tensors.output, shape.output()).data());
    store<__half>(filter, tensors.filter);
}

/// Sums of dz and of dz times what is normalised, as gradients and factors of the channel.
void foldChannel(const FusedTensors& tensors, std::size_t channel, float sum, float product, float rows) {
    const float inverse = tensors.norm.inverseDeviation[channel];
    const float gain = tensors.parameters.gamma[channel] * inverse;
    const float slope = -gain * inverse * product / rows;
    tensors.gradients.gamma[channel] = product;
    tensors.gradients.beta[channel] = sum;
    tensors.norm.gain[channel] = gain;
    tensors.norm.slope[channel] = slope;
    tensors.norm.offset[channel] = -gain * sum / rows - slope * tensors.norm.mean[channel];
}

void dataNormGradient(const ConvolutionShape& shape, const FusedTensors& tensors) {
    std::vector<float> dz(count(shape.input()));
    dataGradientLoops(shape, dz.data(), load<__half>(tensors.filter, shape.filter()).data(),
                      load<__half>(tensors.output, shape.output()).data());
    const std::vector<float> x = stored(shape, tensors);
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> sums(channels), products(channels);
    for (std::size_t i = 0; i < dz.size(); ++i) {
        const std::size_t c = i % channels;
        const float unit = (x[i] - tensors.norm.mean[c]) * tensors.norm.inverseDeviation[c];
        const float output = unit * tensors.parameters.gamma[c] + tensors.parameters.beta[c];
        dz[i] = output > 0 ? rounded(dz[i]) : 0;
        sums[c] += dz[i];
        products[c] += dz[i] * unit;
    }
    store<__half>(dz, tensors.dz);
    const auto rows = static_cast<float>(dz.size() / channels);
    for (std::size_t c = 0; c < channels; ++c)
        foldChannel(tensors, c, sums[c], products[c], rows);
}

void compute(FusedPass pass, const ConvolutionShape& shape, const FusedTensors& tensors) {
    switch (pass) {
        case FusedPass::ForwardStatistics:
            return forwardStatistics(shape, tensors, stored(shape, tensors));
        case FusedPass::NormForwardStatistics:
            return forwardStatistics(shape, tensors, normalised(shape, tensors));
        case FusedPass::NormWeightGradient:
            return normWeightGradient(shape, tensors);
        case FusedPass::DataNormGradient:
            return dataNormGradient(shape, tensors);
    }
}

/// Those that the pass reads or sets.
std::vector<const void*> pointersOf(FusedPass pass, const FusedTensors& tensors) {
    std::vector<const void*> pointers{tensors.input, tensors.filter, tensors.output};
    const auto add = [&](std::initializer_list<const void*> more) { pointers.insert(pointers.end(), more); };
    const bool forward = pass == FusedPass::ForwardStatistics || pass == FusedPass::NormForwardStatistics;
    if (forward) add({tensors.sums});
    if (pass == FusedPass::NormForwardStatistics || pass == FusedPass::NormWeightGradient)
        add({tensors.norm.folded.scale, tensors.norm.folded.shift});
    if (pass == FusedPass::DataNormGradient) {
        const NormMemory& norm = tensors.norm;
        add({tensors.dz, norm.mean, norm.inverseDeviation, norm.gain, norm.slope, norm.offset,
             tensors.parameters.gamma, tensors.parameters.beta, tensors.gradients.gamma,
             tensors.gradients.beta});
    }
    return pointers;
}

}  // namespace

void ReferenceFusedProducts::prepare(std::span<const Wanted> wanted) {
    if (!prepared_.empty()) throw Failure(ExitCode::Backend, "reference products: fused ones prepared twice");
    for (const Wanted& one : wanted) {
        if (setup_->passes.contains(one.pass)) prepared_.insert(one);
    }
}

void ReferenceFusedProducts::run(const Wanted& one, const FusedTensors& tensors) {
    if (!has(one)) refuse(one.shape, "was not prepared for this pass");
    for (const void* const pointer : pointersOf(one.pass, tensors)) {
        if (pointer == nullptr) refuse(one.shape, "lacks a tensor");
        if (reinterpret_cast<std::uintptr_t>(pointer) % 16 != 0)
            refuse(one.shape, "has a tensor that is not aligned");
    }
    started_.push_back(one);
    ++setup_->runs[one];
    enqueue(stream_, [one, tensors] { compute(one.pass, one.shape, tensors); });
    checkLaunch("start a fused convolution");
}

double ReferenceFusedProducts::seconds(const std::function<void()>& start) {
    ++setup_->timings;
    if (!setup_->clock) return stopwatch_.seconds(start);
    started_.clear();
    start();
    check(cudaStreamSynchronize(stream_), "finish its work");
    return setup_->clock(started_);
}

std::optional<int> ReferenceFusedProducts::remembered(const std::string& key) const {
    const auto found = setup_->choices.find(key);
    if (found == setup_->choices.end()) return std::nullopt;
    return found->second;
}

}  // namespace dlperf::worker::cuda::emulation
