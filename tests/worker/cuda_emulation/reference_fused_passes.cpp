// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "reference_operators.h"
#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

using dnn::ConvolutionShape;

float rounded(float x) {
    return __half2float(__float2half_rn(x));
}

float rectified(float x) {
    return x <= 0 ? 0 : x;
}

std::vector<float> stored(const ConvolutionShape& shape, const LayerTensors& tensors) {
    return load<__half>(tensors.input, shape.input());
}

// scale * x + shift.
std::vector<float> scaledAndShifted(std::vector<float> x, std::size_t channels, const FoldedAffine& affine) {
    const __half* const scale = placeOf(affine.scale);
    const __half* const shift = placeOf(affine.shift);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = x[i] * numberOf(scale[i % channels]) + numberOf(shift[i % channels]);
    }
    return x;
}

// relu(scale * input + shift).
std::vector<float> normalised(const ConvolutionShape& shape, const LayerTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> values = scaledAndShifted(stored(shape, tensors), channels, tensors.front.norm.folded);
    for (float& value : values) {
        value = rounded(rectified(value));
    }
    return values;
}

// What a block ends with, which is also stored.
std::vector<float> blockOutput(Pass pass, const ConvolutionShape& shape, const LayerTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> values = scaledAndShifted(stored(shape, tensors), channels, tensors.front.norm.folded);
    std::vector<float> shortcut = load<__half>(tensors.shortcut, shape.input());
    if (pass == Pass::DualForwardStatistics) {
        shortcut = scaledAndShifted(std::move(shortcut), channels, tensors.around.norm.folded);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = rounded(rectified(values[i] + shortcut[i]));
    }
    store<__half>(values, tensors.blockOutput);
    return values;
}

void forwardStatistics(const ConvolutionShape& shape, const LayerTensors& tensors,
                       const std::vector<float>& input) {
    std::vector<float> output(dnn::elementsOf(shape.output()));
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

void normWeightGradient(const ConvolutionShape& shape, const LayerTensors& tensors) {
    std::vector<float> filter(dnn::elementsOf(shape.filter()));
    weightGradientLoops(shape, normalised(shape, tensors).data(), filter.data(),
                        load<__half>(tensors.output, shape.output()).data());
    store<__half>(filter, tensors.filter);
}

// A normalisation on its own: of what it is applied to, in front of scale and bias and behind them.
struct Normalisation {
    const NormInFront& norm;
    std::vector<float> x;

    std::size_t channels;

    void check() const {
        const auto& [of, parameters, gradients] = norm;
        for (const float* const vector :
             {of.mean, of.inverseDeviation, of.gain, of.slope, of.offset, gradients.gamma, gradients.beta}) {
            placeOf(vector);
        }
        placeOf(parameters.gamma);
        placeOf(parameters.beta);
    }
    float unit(std::size_t i) const {
        const std::size_t c = i % channels;
        return (x[i] - norm.norm.mean[c]) * norm.norm.inverseDeviation[c];
    }
    float output(std::size_t i) const {
        const std::size_t c = i % channels;
        return unit(i) * norm.parameters.gamma[c] + norm.parameters.beta[c];
    }
};

// The sums of dz and of dz times what is normalised, as gradients and factors of every channel.
void fold(const Normalisation& front, const std::vector<float>& dz) {
    std::vector<float> sums(front.channels), products(front.channels);
    for (std::size_t i = 0; i < dz.size(); ++i) {
        sums[i % front.channels] += dz[i];
        products[i % front.channels] += dz[i] * front.unit(i);
    }
    const auto& [norm, parameters, gradients] = front.norm;
    const std::size_t perChannel = dz.size() / front.channels;
    const auto rows = static_cast<float>(perChannel);
    for (std::size_t c = 0; c < front.channels; ++c) {
        const float inverse = norm.inverseDeviation[c];
        gradients.gamma[c] = products[c];
        gradients.beta[c] = sums[c];
        norm.gain[c] = parameters.gamma[c] * inverse;
        norm.slope[c] = -norm.gain[c] * inverse * products[c] / rows;
        norm.offset[c] = -norm.gain[c] * sums[c] / rows - norm.slope[c] * norm.mean[c];
    }
}

void dataNormGradient(Pass pass, const ConvolutionShape& shape, const LayerTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> dz(dnn::elementsOf(shape.input()));
    dataGradientLoops(shape, dz.data(), load<__half>(tensors.filter, shape.filter()).data(),
                      load<__half>(tensors.output, shape.output()).data());
    const Normalisation front{tensors.front, stored(shape, tensors), channels};
    const bool atBlock = pass != Pass::DataNormGradient;
    const bool isDual = pass == Pass::DualDataNormGradient;
    std::vector<float> other(atBlock ? dz.size() : 0), shortcut(other.size());
    if (atBlock) {
        other = load<__half>(tensors.otherGradient, shape.input());
        shortcut = load<__half>(tensors.shortcut, shape.input());
    }
    const Normalisation around{tensors.around, shortcut, channels};
    front.check();
    if (isDual) {
        around.check();
    }
    for (std::size_t i = 0; i < dz.size(); ++i) {
        float decisive = front.output(i);
        if (atBlock) {
            dz[i] += other[i];
            decisive += isDual ? around.output(i) : shortcut[i];
        }
        dz[i] = decisive > 0 ? rounded(dz[i]) : 0;
    }
    store<__half>(dz, tensors.dz);
    fold(front, dz);
    if (isDual) {
        fold(around, dz);
    }
}

}  // namespace

void computeFused(const Operators::Wanted& one, const LayerTensors& tensors) {
    const auto& [pass, shape] = one;
    switch (pass) {
        case Pass::ForwardStatistics:
            return forwardStatistics(shape, tensors, stored(shape, tensors));
        case Pass::NormForwardStatistics:
            return forwardStatistics(shape, tensors, normalised(shape, tensors));
        case Pass::BlockForwardStatistics:
        case Pass::DualForwardStatistics:
            return forwardStatistics(shape, tensors, blockOutput(pass, shape, tensors));
        case Pass::NormWeightGradient:
            return normWeightGradient(shape, tensors);
        case Pass::DataNormGradient:
        case Pass::BlockDataNormGradient:
        case Pass::DualDataNormGradient:
            return dataNormGradient(pass, shape, tensors);
        default:
            return;
    }
}

}  // namespace dlperf::worker::cuda::emulation
