// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/convolution_graphs.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace dlperf::worker::cuda::dnn {
namespace {

using Tensor = GraphBuilder::Tensor;

// Keys in the cache of plans begin with these; in the order of Pass and of FusedPass.
constexpr const char* passNames[] = {"forward", "data-gradient", "weight-gradient"};
constexpr const char* fusedNames[] = {"forward-statistics",
                                      "norm-forward-statistics",
                                      "border-forward-statistics-shortcut",
                                      "border-forward-statistics-dual",
                                      "norm-weight-gradient",
                                      "data-norm-gradient",
                                      "data-norm-gradient-add-shortcut",
                                      "data-norm-gradient-add-dual"};

struct NormUids {
    Uid x, mean, inverseDeviation, scale, bias;
    Uid scaleGradient, biasGradient, gradientFactor, inputFactor, offset;
};
constexpr NormUids normUids{Uid::NormInput,        Uid::Mean,
                            Uid::InverseDeviation, Uid::NormScale,
                            Uid::NormBias,         Uid::NormScaleGradient,
                            Uid::NormBiasGradient, Uid::GradientFactor,
                            Uid::InputFactor,      Uid::Offset};
constexpr NormUids shortcutNormUids{
    Uid::ShortcutInput,        Uid::ShortcutMean,           Uid::ShortcutInverseDeviation,
    Uid::ShortcutScale,        Uid::ShortcutBias,           Uid::ShortcutScaleGradient,
    Uid::ShortcutBiasGradient, Uid::ShortcutGradientFactor, Uid::ShortcutInputFactor,
    Uid::ShortcutOffset};

// The graph of one fused pass. Tensors without a number stay between the operations.
class FusedGraph {
public:
    explicit FusedGraph(const FusedOperators::Wanted& one) : pass_(one.pass), shape_(one.shape) {}

    Graph build(const Target& target) && {
        switch (pass_) {
            case FusedPass::ForwardStatistics:
                forwardStatistics(stored(Uid::Input));
                break;
            case FusedPass::NormForwardStatistics:
                forwardStatistics(normalisedInput(CUDNN_DATA_FLOAT));
                break;
            case FusedPass::BlockForwardStatistics:
                forwardStatistics(blockEnd(stored(Uid::Shortcut)));
                break;
            case FusedPass::DualForwardStatistics:
                forwardStatistics(blockEnd(folded(Uid::ShortcutInput, Uid::FoldedShortcutScale,
                                                  Uid::FoldedShortcutBias, CUDNN_DATA_FLOAT)));
                break;
            case FusedPass::NormWeightGradient:
                builder_.weightGradient(shape_, normalisedInput(CUDNN_DATA_HALF), outputGradient(),
                                        builder_.tensor(Uid::FilterGradient, shape_.filter()));
                break;
            case FusedPass::DataNormGradient:
            case FusedPass::BlockDataNormGradient:
            case FusedPass::DualDataNormGradient:
                dataNormGradient();
                break;
        }
        return std::move(builder_).finish(target, fusedNames[static_cast<std::size_t>(pass_)], shape_);
    }

private:
    // Like the convolution's input.
    Tensor stored(Uid uid) { return builder_.tensor(uid, shape_.input()); }
    Tensor between(cudnnDataType_t type = CUDNN_DATA_FLOAT) { return builder_.between(shape_.input(), type); }
    Tensor perChannel(Uid uid) { return builder_.perChannel(uid, shape_.inChannels); }
    Tensor filter() { return builder_.tensor(Uid::Filter, shape_.filter()); }
    Tensor outputGradient() { return builder_.tensor(Uid::OutputGradient, shape_.output()); }

    Tensor sum(Tensor a, Tensor b) {
        const Tensor result = between();
        builder_.add(a, b, result);
        return result;
    }

    // scale * x + bias.
    Tensor folded(Uid x, Uid scale, Uid bias, cudnnDataType_t type) {
        const Dimensions channels{1, shape_.inChannels, 1, 1};
        const Tensor scaled = between(type);
        const Tensor shifted = between(type);
        builder_.multiply(stored(x), builder_.tensor(scale, channels), scaled);
        builder_.add(scaled, builder_.tensor(bias, channels), shifted);
        return shifted;
    }

    // relu(Scale * Input + Bias).
    Tensor normalisedInput(cudnnDataType_t type) {
        const Tensor shifted = folded(Uid::Input, Uid::Scale, Uid::Bias, type);
        const Tensor activated = between(type);
        builder_.relu(shifted, activated);
        return activated;
    }

    // Activated = relu(Scale * Input + Bias + the shortcut).
    Tensor blockEnd(Tensor shortcut) {
        const Tensor normalised = folded(Uid::Input, Uid::Scale, Uid::Bias, CUDNN_DATA_FLOAT);
        const Tensor before = sum(normalised, shortcut);
        const Tensor activated = stored(Uid::Activated);
        builder_.relu(before, activated);
        return activated;
    }

    // Output = x convolved with Filter; Sum and SquareSum of Output per channel.
    void forwardStatistics(Tensor x) {
        const Tensor w = filter();
        const Tensor y = builder_.tensor(Uid::Output, shape_.output());
        builder_.forward(shape_, x, w, y);
        const Tensor outputSum = builder_.perChannel(Uid::Sum, shape_.outChannels);
        builder_.statistics(y, outputSum, builder_.perChannel(Uid::SquareSum, shape_.outChannels));
    }

    // The data gradient of OutputGradient and Filter, with OtherGradient behind a block, through the ReLU and
    // the normalisation in front: ReluGradient, and per channel what NormTensors says is written. Which
    // elements the ReLU let pass is computed again; where the shortcut is normalised, what is written per
    // channel is written for it too.
    void dataNormGradient() {
        const bool isInside = pass_ == FusedPass::DataNormGradient;
        const Tensor dy = outputGradient();
        const Tensor w = filter();
        Tensor dx = between();
        builder_.dataGradient(shape_, dy, w, dx);
        if (!isInside) {
            dx = sum(dx, stored(Uid::OtherGradient));
        }
        GraphBuilder::NormTensors norm = normInputs(normUids);
        Tensor decisive = normOutput(norm, normUids);
        std::optional<GraphBuilder::NormTensors> shortcut;
        if (pass_ == FusedPass::BlockDataNormGradient) {
            decisive = sum(decisive, stored(Uid::Shortcut));
        } else if (!isInside) {
            shortcut = normInputs(shortcutNormUids);
            decisive = sum(decisive, normOutput(*shortcut, shortcutNormUids));
        }
        const Tensor dz = stored(Uid::ReluGradient);
        builder_.reluGradient(dx, decisive, dz);
        normGradients(norm, normUids, dz);
        if (shortcut) {
            normGradients(*shortcut, shortcutNormUids, dz);
        }
    }

    GraphBuilder::NormTensors normInputs(const NormUids& uids) {
        GraphBuilder::NormTensors norm;
        norm.x = stored(uids.x);
        norm.mean = perChannel(uids.mean);
        norm.inverseDeviation = perChannel(uids.inverseDeviation);
        norm.scale = perChannel(uids.scale);
        return norm;
    }

    Tensor normOutput(const GraphBuilder::NormTensors& norm, const NormUids& uids) {
        const Tensor bias = perChannel(uids.bias);
        const Tensor centred = between();
        const Tensor normalised = between();
        const Tensor scaled = between();
        builder_.subtract(norm.x, norm.mean, centred);
        builder_.multiply(centred, norm.inverseDeviation, normalised);
        builder_.multiply(normalised, norm.scale, scaled);
        return sum(scaled, bias);
    }

    void normGradients(GraphBuilder::NormTensors norm, const NormUids& uids, Tensor dy) {
        norm.dy = dy;
        norm.scaleGradient = perChannel(uids.scaleGradient);
        norm.biasGradient = perChannel(uids.biasGradient);
        norm.gradientFactor = perChannel(uids.gradientFactor);
        norm.inputFactor = perChannel(uids.inputFactor);
        norm.offset = perChannel(uids.offset);
        builder_.normGradient(norm);
    }

    FusedPass pass_;
    ConvolutionShape shape_;
    GraphBuilder builder_{Precision::Fp16};
};

struct ConvolutionUids {
    Uid input, filter, output;
};
constexpr ConvolutionUids uidsOf(Pass pass) {
    switch (pass) {
        case Pass::Forward:
            return {Uid::Input, Uid::Filter, Uid::Output};
        case Pass::DataGradient:
            return {Uid::InputGradient, Uid::Filter, Uid::OutputGradient};
        case Pass::WeightGradient:
            break;
    }
    return {Uid::Input, Uid::FilterGradient, Uid::OutputGradient};
}

}  // namespace

Graph convolutionGraph(const Target& target, Pass pass, Precision type, const ConvolutionShape& shape) {
    GraphBuilder builder(type);
    const ConvolutionUids uids = uidsOf(pass);
    const Tensor x = builder.tensor(uids.input, shape.input());
    const Tensor w = builder.tensor(uids.filter, shape.filter());
    const Tensor y = builder.tensor(uids.output, shape.output());
    switch (pass) {
        case Pass::Forward:
            builder.forward(shape, x, w, y);
            break;
        case Pass::DataGradient:
            builder.dataGradient(shape, y, w, x);
            break;
        case Pass::WeightGradient:
            builder.weightGradient(shape, x, y, w);
            break;
    }
    return std::move(builder).finish(target, passNames[static_cast<std::size_t>(pass)], shape);
}

std::vector<Binding> bindingsOf(Pass pass, const LayerTensors& tensors) {
    const ConvolutionUids uids = uidsOf(pass);
    return {{uids.input, tensors.input}, {uids.filter, tensors.filter}, {uids.output, tensors.output}};
}

Graph fusedGraph(const Target& target, const FusedOperators::Wanted& one) {
    return FusedGraph(one).build(target);
}

std::vector<Binding> fusedBindings(const Graph& graph, const ConvolutionShape& shape,
                                   const FusedTensors& tensors) {
    const auto& [norm, parameters, gradients] = tensors.front;
    const auto& [around, aroundParameters, aroundGradients] = tensors.around;
    float* const squares = tensors.sums == nullptr ? nullptr : tensors.sums + shape.outChannels;
    const std::pair<Uid, const void*> addresses[] = {{Uid::Input, tensors.input},
                                                     {Uid::NormInput, tensors.input},
                                                     {Uid::Filter, tensors.filter},
                                                     {Uid::FilterGradient, tensors.filter},
                                                     {Uid::Output, tensors.output},
                                                     {Uid::OutputGradient, tensors.output},
                                                     {Uid::Sum, tensors.sums},
                                                     {Uid::SquareSum, squares},
                                                     {Uid::Activated, tensors.blockOutput},
                                                     {Uid::OtherGradient, tensors.otherGradient},
                                                     {Uid::Shortcut, tensors.shortcut},
                                                     {Uid::ShortcutInput, tensors.shortcut},
                                                     {Uid::ReluGradient, tensors.dz},
                                                     {Uid::Scale, norm.folded.scale},
                                                     {Uid::Bias, norm.folded.shift},
                                                     {Uid::Mean, norm.mean},
                                                     {Uid::InverseDeviation, norm.inverseDeviation},
                                                     {Uid::NormScale, parameters.gamma},
                                                     {Uid::NormBias, parameters.beta},
                                                     {Uid::NormScaleGradient, gradients.gamma},
                                                     {Uid::NormBiasGradient, gradients.beta},
                                                     {Uid::GradientFactor, norm.gain},
                                                     {Uid::InputFactor, norm.slope},
                                                     {Uid::Offset, norm.offset},
                                                     {Uid::FoldedShortcutScale, around.folded.scale},
                                                     {Uid::FoldedShortcutBias, around.folded.shift},
                                                     {Uid::ShortcutMean, around.mean},
                                                     {Uid::ShortcutInverseDeviation, around.inverseDeviation},
                                                     {Uid::ShortcutScale, aroundParameters.gamma},
                                                     {Uid::ShortcutBias, aroundParameters.beta},
                                                     {Uid::ShortcutScaleGradient, aroundGradients.gamma},
                                                     {Uid::ShortcutBiasGradient, aroundGradients.beta},
                                                     {Uid::ShortcutGradientFactor, around.gain},
                                                     {Uid::ShortcutInputFactor, around.slope},
                                                     {Uid::ShortcutOffset, around.offset}};
    std::vector<Binding> bindings;
    for (const GraphTensor& tensor : graph.tensors()) {
        const auto* const found = std::find_if(std::begin(addresses), std::end(addresses),
                                               [&](const auto& entry) { return entry.first == tensor.uid; });
        // Some are only read; cuDNN's interface knows no const.
        bindings.push_back({tensor.uid, const_cast<void*>(found->second)});
    }
    return bindings;
}

}  // namespace dlperf::worker::cuda::dnn
