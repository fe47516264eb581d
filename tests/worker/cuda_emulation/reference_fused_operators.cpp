// SPDX-License-Identifier: Apache-2.0
#include "reference_fused_operators.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/failure.h"
#include "convolution_loops.h"
#include "runtime.h"
#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

using dnn::ConvolutionShape;

[[noreturn]] void refuseFused(const ConvolutionShape& shape, const char* why) {
    throw Failure(ExitCode::Backend, "reference operators: fused " + shape.text() + ' ' + why);
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

// scale * x + shift.
std::vector<float> scaledAndShifted(std::vector<float> x, std::size_t channels, const FoldedAffine& affine) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = x[i] * toFloat(affine.scale[i % channels]) + toFloat(affine.shift[i % channels]);
    }
    return x;
}

// relu(scale * input + shift).
std::vector<float> normalised(const ConvolutionShape& shape, const FusedTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> values = scaledAndShifted(stored(shape, tensors), channels, tensors.front.norm.folded);
    for (float& value : values) {
        value = rounded(rectified(value));
    }
    return values;
}

// What a block ends with, which is also stored.
std::vector<float> blockOutput(FusedPass pass, const ConvolutionShape& shape, const FusedTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> values = scaledAndShifted(stored(shape, tensors), channels, tensors.front.norm.folded);
    std::vector<float> shortcut = load<__half>(tensors.shortcut, shape.input());
    if (pass == FusedPass::DualForwardStatistics) {
        shortcut = scaledAndShifted(std::move(shortcut), channels, tensors.around.norm.folded);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = rounded(rectified(values[i] + shortcut[i]));
    }
    store<__half>(values, tensors.blockOutput);
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

// A normalisation on its own: of what it is applied to, in front of scale and bias and behind them.
struct Normalisation {
    const NormInFront& norm;
    std::vector<float> x;

    std::size_t channels;
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

void dataNormGradient(FusedPass pass, const ConvolutionShape& shape, const FusedTensors& tensors) {
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    std::vector<float> dz(count(shape.input()));
    dataGradientLoops(shape, dz.data(), load<__half>(tensors.filter, shape.filter()).data(),
                      load<__half>(tensors.output, shape.output()).data());
    const Normalisation front{tensors.front, stored(shape, tensors), channels};
    const bool atBlock = pass != FusedPass::DataNormGradient;
    const bool isDual = pass == FusedPass::DualDataNormGradient;
    std::vector<float> other(atBlock ? dz.size() : 0), shortcut(other.size());
    if (atBlock) {
        other = load<__half>(tensors.otherGradient, shape.input());
        shortcut = load<__half>(tensors.shortcut, shape.input());
    }
    const Normalisation around{tensors.around, shortcut, channels};
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

void compute(FusedPass pass, const ConvolutionShape& shape, const FusedTensors& tensors) {
    switch (pass) {
        case FusedPass::ForwardStatistics:
            return forwardStatistics(shape, tensors, stored(shape, tensors));
        case FusedPass::NormForwardStatistics:
            return forwardStatistics(shape, tensors, normalised(shape, tensors));
        case FusedPass::BlockForwardStatistics:
        case FusedPass::DualForwardStatistics:
            return forwardStatistics(shape, tensors, blockOutput(pass, shape, tensors));
        case FusedPass::NormWeightGradient:
            return normWeightGradient(shape, tensors);
        case FusedPass::DataNormGradient:
        case FusedPass::BlockDataNormGradient:
        case FusedPass::DualDataNormGradient:
            return dataNormGradient(pass, shape, tensors);
    }
}

void add(std::vector<const void*>& pointers, const NormInFront& front) {
    const auto& [norm, parameters, gradients] = front;
    const std::initializer_list<const void*> more{norm.mean,       norm.inverseDeviation, norm.gain,
                                                  norm.slope,      norm.offset,           parameters.gamma,
                                                  parameters.beta, gradients.gamma,       gradients.beta};
    pointers.insert(pointers.end(), more);
}

// Those that the pass reads or sets.
std::vector<const void*> pointersOf(FusedPass pass, const FusedTensors& tensors) {
    std::vector<const void*> pointers{tensors.input, tensors.filter, tensors.output};
    const auto addFolded = [&](const FoldedAffine& folded) {
        pointers.push_back(folded.scale);
        pointers.push_back(folded.shift);
    };
    if (pass < FusedPass::NormWeightGradient) {
        pointers.push_back(tensors.sums);
    }
    if (pass > FusedPass::ForwardStatistics && pass <= FusedPass::NormWeightGradient) {
        addFolded(tensors.front.norm.folded);
    }
    if (pass == FusedPass::DualForwardStatistics) {
        addFolded(tensors.around.norm.folded);
    }
    if (pass == FusedPass::BlockForwardStatistics || pass == FusedPass::DualForwardStatistics) {
        pointers.push_back(tensors.blockOutput);
        pointers.push_back(tensors.shortcut);
    }
    if (pass >= FusedPass::DataNormGradient) {
        pointers.push_back(tensors.dz);
        add(pointers, tensors.front);
    }
    if (pass > FusedPass::DataNormGradient) {
        pointers.push_back(tensors.otherGradient);
        pointers.push_back(tensors.shortcut);
    }
    if (pass == FusedPass::DualDataNormGradient) {
        add(pointers, tensors.around);
    }
    return pointers;
}

int allLaunches() {
    int count = 0;
    for (const auto& [kernel, times] : launches()) {
        count += times;
    }
    return count;
}

}  // namespace

void ReferenceFusedOperators::prepare(std::span<const Wanted> wanted) {
    if (!prepared_.empty()) {
        throw Failure(ExitCode::Backend, "reference operators: fused ones prepared twice");
    }
    for (const Wanted& one : wanted) {
        if (setup_->passes.contains(one.pass)) {
            prepared_.insert(one);
        }
    }
}

void ReferenceFusedOperators::run(const Wanted& one, const FusedTensors& tensors) {
    if (!has(one)) {
        refuseFused(one.shape, "was not prepared for this pass");
    }
    for (const void* const pointer : pointersOf(one.pass, tensors)) {
        if (pointer == nullptr) {
            refuseFused(one.shape, "lacks a tensor");
        }
        if (reinterpret_cast<std::uintptr_t>(pointer) % 16 != 0) {
            refuseFused(one.shape, "has a tensor that is not aligned");
        }
    }
    started_.push_back(one);
    ++setup_->runs[one];
    enqueue(stream_, [one, tensors] { compute(one.pass, one.shape, tensors); });
    checkLaunch("start a fused convolution");
}

double ReferenceFusedOperators::seconds(const std::function<void()>& start, std::size_t sets) {
    ++setup_->timings;
    if (!setup_->clock) {
        return stopwatch_.seconds(start, std::numeric_limits<double>::infinity(), sets);
    }
    started_.clear();
    const int before = allLaunches();
    const CapturedGraph graph(stream_, start);
    if (timed_.emplace(started_, allLaunches() - before).second) {
        graph.launch(stream_);
        check(cudaStreamSynchronize(stream_), "finish its work");
    }
    return setup_->clock(started_);
}

std::optional<int> ReferenceFusedOperators::remembered(const std::string& key) const {
    const auto found = setup_->choices.find(key);
    if (found == setup_->choices.end()) {
        return std::nullopt;
    }
    return found->second;
}

}  // namespace dlperf::worker::cuda::emulation
