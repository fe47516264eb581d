// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/fused_plans.h"

#include <iterator>

#include "cuda/dnn/fused_graphs.h"

namespace dlperf::worker::cuda {
namespace {

using dnn::Binding;
using dnn::Uid;

// A vector that is read, and is not const only because cuDNN's interface knows no such thing.
Binding read(Uid uid, const float* vector) {
    return {uid, const_cast<float*>(vector)};
}

std::vector<Binding> forwardBindings(int outChannels, const FusedTensors& tensors) {
    return {{Uid::Input, const_cast<__half*>(tensors.input)},
            {Uid::Filter, tensors.filter},
            {Uid::Output, tensors.output},
            {Uid::Sum, tensors.sums},
            {Uid::SquareSum, tensors.sums + outChannels}};
}

std::vector<Binding> normForwardBindings(int outChannels, const FusedTensors& tensors) {
    std::vector<Binding> bindings = forwardBindings(outChannels, tensors);
    bindings.push_back({Uid::Scale, tensors.front.norm.folded.scale});
    bindings.push_back({Uid::Bias, tensors.front.norm.folded.shift});
    return bindings;
}

std::vector<Binding> blockForwardBindings(int outChannels, const FusedTensors& tensors) {
    std::vector<Binding> bindings = normForwardBindings(outChannels, tensors);
    bindings.push_back({Uid::Activated, tensors.blockOutput});
    bindings.push_back({Uid::Shortcut, const_cast<__half*>(tensors.shortcut)});
    return bindings;
}

std::vector<Binding> dualForwardBindings(int outChannels, const FusedTensors& tensors) {
    std::vector<Binding> bindings = normForwardBindings(outChannels, tensors);
    bindings.push_back({Uid::Activated, tensors.blockOutput});
    bindings.push_back({Uid::ShortcutInput, const_cast<__half*>(tensors.shortcut)});
    bindings.push_back({Uid::FoldedShortcutScale, tensors.around.norm.folded.scale});
    bindings.push_back({Uid::FoldedShortcutBias, tensors.around.norm.folded.shift});
    return bindings;
}

std::vector<Binding> weightBindings(const FusedTensors& tensors) {
    return {{Uid::Input, const_cast<__half*>(tensors.input)},
            {Uid::Scale, tensors.front.norm.folded.scale},
            {Uid::Bias, tensors.front.norm.folded.shift},
            {Uid::OutputGradient, tensors.output},
            {Uid::FilterGradient, tensors.filter}};
}

std::vector<Binding> dataBindings(const FusedTensors& tensors) {
    const auto& [norm, parameters, gradients] = tensors.front;
    return {{Uid::OutputGradient, tensors.output},
            {Uid::Filter, tensors.filter},
            {Uid::NormInput, const_cast<__half*>(tensors.input)},
            {Uid::Mean, norm.mean},
            {Uid::InverseDeviation, norm.inverseDeviation},
            read(Uid::NormScale, parameters.gamma),
            read(Uid::NormBias, parameters.beta),
            {Uid::ReluGradient, tensors.dz},
            {Uid::NormScaleGradient, gradients.gamma},
            {Uid::NormBiasGradient, gradients.beta},
            {Uid::GradientFactor, norm.gain},
            {Uid::InputFactor, norm.slope},
            {Uid::Offset, norm.offset}};
}

std::vector<Binding> blockDataBindings(const FusedTensors& tensors) {
    std::vector<Binding> bindings = dataBindings(tensors);
    bindings.push_back({Uid::OtherGradient, const_cast<__half*>(tensors.otherGradient)});
    bindings.push_back({Uid::Shortcut, const_cast<__half*>(tensors.shortcut)});
    return bindings;
}

std::vector<Binding> dualDataBindings(const FusedTensors& tensors) {
    const auto& [norm, parameters, gradients] = tensors.around;
    std::vector<Binding> bindings = dataBindings(tensors);
    const Binding more[] = {{Uid::OtherGradient, const_cast<__half*>(tensors.otherGradient)},
                            {Uid::ShortcutInput, const_cast<__half*>(tensors.shortcut)},
                            {Uid::ShortcutMean, norm.mean},
                            {Uid::ShortcutInverseDeviation, norm.inverseDeviation},
                            read(Uid::ShortcutScale, parameters.gamma),
                            read(Uid::ShortcutBias, parameters.beta),
                            {Uid::ShortcutScaleGradient, gradients.gamma},
                            {Uid::ShortcutBiasGradient, gradients.beta},
                            {Uid::ShortcutGradientFactor, norm.gain},
                            {Uid::ShortcutInputFactor, norm.slope},
                            {Uid::ShortcutOffset, norm.offset}};
    bindings.insert(bindings.end(), std::begin(more), std::end(more));
    return bindings;
}

}  // namespace

dnn::Graph fusedGraph(const dnn::Target& target, const FusedOperators::Wanted& one) {
    switch (one.pass) {
        case FusedPass::ForwardStatistics:
            return dnn::forwardStatisticsGraph(target, one.shape);
        case FusedPass::NormForwardStatistics:
            return dnn::normForwardStatisticsGraph(target, one.shape);
        case FusedPass::BlockForwardStatistics:
            return dnn::borderForwardStatisticsGraph(target, one.shape, dnn::Shortcut::Stored);
        case FusedPass::DualForwardStatistics:
            return dnn::borderForwardStatisticsGraph(target, one.shape, dnn::Shortcut::Normalised);
        case FusedPass::NormWeightGradient:
            return dnn::normWeightGradientGraph(target, one.shape);
        case FusedPass::BlockDataNormGradient:
            return dnn::dataNormGradientGraph(target, one.shape, {dnn::Shortcut::Stored, true});
        case FusedPass::DualDataNormGradient:
            return dnn::dataNormGradientGraph(target, one.shape, {dnn::Shortcut::Normalised, true});
        case FusedPass::DataNormGradient:
            break;
    }
    return dnn::dataNormGradientGraph(target, one.shape);
}

std::vector<Binding> fusedBindings(const FusedOperators::Wanted& one, const FusedTensors& tensors) {
    switch (one.pass) {
        case FusedPass::ForwardStatistics:
            return forwardBindings(one.shape.outChannels, tensors);
        case FusedPass::NormForwardStatistics:
            return normForwardBindings(one.shape.outChannels, tensors);
        case FusedPass::BlockForwardStatistics:
            return blockForwardBindings(one.shape.outChannels, tensors);
        case FusedPass::DualForwardStatistics:
            return dualForwardBindings(one.shape.outChannels, tensors);
        case FusedPass::NormWeightGradient:
            return weightBindings(tensors);
        case FusedPass::BlockDataNormGradient:
            return blockDataBindings(tensors);
        case FusedPass::DualDataNormGradient:
            return dualDataBindings(tensors);
        case FusedPass::DataNormGradient:
            break;
    }
    return dataBindings(tensors);
}

}  // namespace dlperf::worker::cuda
