// SPDX-License-Identifier: Apache-2.0
#include "cuda/products/fused_plans.h"

#include "cuda/dnn/fused_graphs.h"

namespace dlperf::worker::cuda {
namespace {

using dnn::Binding;
using dnn::Uid;

/// A vector that is read, and is not const only because cuDNN's interface knows no such thing.
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
    bindings.push_back({Uid::Scale, tensors.norm.folded.scale});
    bindings.push_back({Uid::Bias, tensors.norm.folded.shift});
    return bindings;
}

std::vector<Binding> weightBindings(const FusedTensors& tensors) {
    return {{Uid::Input, const_cast<__half*>(tensors.input)},
            {Uid::Scale, tensors.norm.folded.scale},
            {Uid::Bias, tensors.norm.folded.shift},
            {Uid::OutputGradient, tensors.output},
            {Uid::FilterGradient, tensors.filter}};
}

std::vector<Binding> dataBindings(const FusedTensors& tensors) {
    return {{Uid::OutputGradient, tensors.output},
            {Uid::Filter, tensors.filter},
            {Uid::NormInput, const_cast<__half*>(tensors.input)},
            {Uid::Mean, tensors.norm.mean},
            {Uid::InverseDeviation, tensors.norm.inverseDeviation},
            read(Uid::NormScale, tensors.parameters.gamma),
            read(Uid::NormBias, tensors.parameters.beta),
            {Uid::ReluGradient, tensors.dz},
            {Uid::NormScaleGradient, tensors.gradients.gamma},
            {Uid::NormBiasGradient, tensors.gradients.beta},
            {Uid::GradientFactor, tensors.norm.gain},
            {Uid::InputFactor, tensors.norm.slope},
            {Uid::Offset, tensors.norm.offset}};
}

}  // namespace

dnn::Graph fusedGraph(const dnn::Target& target, const FusedProducts::Wanted& one) {
    switch (one.pass) {
        case FusedPass::ForwardStatistics:
            return dnn::forwardStatisticsGraph(target, one.shape);
        case FusedPass::NormForwardStatistics:
            return dnn::normForwardStatisticsGraph(target, one.shape);
        case FusedPass::NormWeightGradient:
            return dnn::normWeightGradientGraph(target, one.shape);
        case FusedPass::DataNormGradient:
            break;
    }
    return dnn::dataNormGradientGraph(target, one.shape);
}

std::vector<Binding> fusedBindings(const FusedProducts::Wanted& one, const FusedTensors& tensors) {
    switch (one.pass) {
        case FusedPass::ForwardStatistics:
            return forwardBindings(one.shape.outChannels, tensors);
        case FusedPass::NormForwardStatistics:
            return normForwardBindings(one.shape.outChannels, tensors);
        case FusedPass::NormWeightGradient:
            return weightBindings(tensors);
        case FusedPass::DataNormGradient:
            break;
    }
    return dataBindings(tensors);
}

}  // namespace dlperf::worker::cuda
