// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/convolution_graphs.h"

#include <map>
#include <optional>
#include <utility>

namespace dlperf::worker::cuda::dnn {
namespace {

using Tensor = GraphBuilder::Tensor;

// Keys in the cache of plans begin with these; in the order of Pass.
constexpr const char* passNames[] = {"forward",
                                     "data-gradient",
                                     "weight-gradient",
                                     "forward-statistics",
                                     "norm-forward-statistics",
                                     "border-forward-statistics-shortcut",
                                     "border-forward-statistics-dual",
                                     "norm-weight-gradient",
                                     "data-norm-gradient",
                                     "data-norm-gradient-add-shortcut",
                                     "data-norm-gradient-add-dual"};

// Tensors without a number stay between the operations.
class ConvolutionGraph {
public:
    ConvolutionGraph(const Operators::Wanted& one, Precision type)
        : pass_(one.pass), shape_(one.shape), builder_(type) {}

    Graph build(const Target& target) && {
        switch (pass_) {
            case Pass::Forward:
            case Pass::DataGradient:
            case Pass::WeightGradient:
                convolve(pass_, stored(Uid::Input));
                break;
            case Pass::ForwardStatistics:
                forwardStatistics(stored(Uid::Input));
                break;
            case Pass::NormForwardStatistics:
                forwardStatistics(normalisedInput(CUDNN_DATA_FLOAT));
                break;
            case Pass::BlockForwardStatistics:
                forwardStatistics(blockEnd(stored(Uid::Shortcut)));
                break;
            case Pass::DualForwardStatistics:
                forwardStatistics(blockEnd(folded(Norm::OfShortcut, CUDNN_DATA_FLOAT)));
                break;
            case Pass::NormWeightGradient:
                convolve(Pass::WeightGradient, normalisedInput(CUDNN_DATA_HALF));
                break;
            case Pass::DataNormGradient:
            case Pass::BlockDataNormGradient:
            case Pass::DualDataNormGradient:
                dataNormGradient();
                break;
        }
        return std::move(builder_).finish(target, passNames[static_cast<std::size_t>(pass_)], shape_);
    }

private:
    enum class Norm { InFront, OfShortcut };

    // Like the convolution's input.
    Tensor stored(Uid uid) { return builder_.tensor(uid, shape_.input()); }
    Tensor between(cudnnDataType_t type = CUDNN_DATA_FLOAT) { return builder_.between(shape_.input(), type); }
    Tensor storedOf(Norm which) { return stored(which == Norm::InFront ? Uid::Input : Uid::Shortcut); }
    static Uid uidOf(Norm which, Uid uid) { return which == Norm::InFront ? uid : ofShortcut(uid); }
    Tensor perChannel(Norm which, Uid uid) {
        return builder_.perChannel(uidOf(which, uid), shape_.inChannels);
    }

    Tensor binary(cudnnPointwiseMode_t mode, Tensor a, Tensor b, cudnnDataType_t type = CUDNN_DATA_FLOAT) {
        const Tensor result = between(type);
        builder_.binary(mode, a, b, result);
        return result;
    }
    Tensor sum(Tensor a, Tensor b) { return binary(CUDNN_POINTWISE_ADD, a, b); }

    // With the convolution's filter and output, or their gradients; returns the latter.
    Tensor convolve(Pass pass, Tensor x) {
        const Tensor w = builder_.tensor(Uid::Filter, shape_.filter());
        const Tensor y = builder_.tensor(Uid::Output, shape_.output());
        builder_.convolve(pass, shape_, x, w, y);
        return y;
    }

    // FoldedScale * what is stored + FoldedBias.
    Tensor folded(Norm which, cudnnDataType_t type) {
        const Dimensions channels{1, shape_.inChannels, 1, 1};
        const Tensor scale = builder_.tensor(uidOf(which, Uid::FoldedScale), channels);
        const Tensor bias = builder_.tensor(uidOf(which, Uid::FoldedBias), channels);
        const Tensor scaled = binary(CUDNN_POINTWISE_MUL, storedOf(which), scale, type);
        return binary(CUDNN_POINTWISE_ADD, scaled, bias, type);
    }

    // relu(FoldedScale * Input + FoldedBias).
    Tensor normalisedInput(cudnnDataType_t type) {
        const Tensor shifted = folded(Norm::InFront, type);
        const Tensor activated = between(type);
        builder_.relu(shifted, activated);
        return activated;
    }

    // Activated = relu(FoldedScale * Input + FoldedBias + the shortcut).
    Tensor blockEnd(Tensor shortcut) {
        const Tensor before = sum(folded(Norm::InFront, CUDNN_DATA_FLOAT), shortcut);
        const Tensor activated = stored(Uid::Activated);
        builder_.relu(before, activated);
        return activated;
    }

    // Output = x convolved with Filter; Sum and SquareSum of Output per channel.
    void forwardStatistics(Tensor x) {
        const Tensor y = convolve(Pass::Forward, x);
        const Tensor outputSum = builder_.perChannel(Uid::Sum, shape_.outChannels);
        builder_.statistics(y, outputSum, builder_.perChannel(Uid::SquareSum, shape_.outChannels));
    }

    // The data gradient, with OtherGradient behind a block, through the ReLU and the normalisation in front:
    // ReluGradient, and per channel what NormTensors says is written. Which elements the ReLU let pass is
    // computed again; where the shortcut is normalised, what is written per channel is written for it too.
    void dataNormGradient() {
        const bool isInside = pass_ == Pass::DataNormGradient;
        Tensor dx = between();
        convolve(Pass::DataGradient, dx);
        if (!isInside) {
            dx = sum(dx, stored(Uid::OtherGradient));
        }
        const GraphBuilder::NormTensors norm = normInputs(Norm::InFront);
        Tensor decisive = normOutput(norm, Norm::InFront);
        std::optional<GraphBuilder::NormTensors> shortcut;
        if (pass_ == Pass::BlockDataNormGradient) {
            decisive = sum(decisive, stored(Uid::Shortcut));
        } else if (!isInside) {
            shortcut = normInputs(Norm::OfShortcut);
            decisive = sum(decisive, normOutput(*shortcut, Norm::OfShortcut));
        }
        const Tensor dz = stored(Uid::ReluGradient);
        builder_.reluGradient(dx, decisive, dz);
        normGradients(norm, Norm::InFront, dz);
        if (shortcut) {
            normGradients(*shortcut, Norm::OfShortcut, dz);
        }
    }

    GraphBuilder::NormTensors normInputs(Norm which) {
        GraphBuilder::NormTensors norm;
        norm.x = storedOf(which);
        norm.mean = perChannel(which, Uid::Mean);
        norm.inverseDeviation = perChannel(which, Uid::InverseDeviation);
        norm.scale = perChannel(which, Uid::Scale);
        return norm;
    }

    Tensor normOutput(const GraphBuilder::NormTensors& norm, Norm which) {
        const Tensor bias = perChannel(which, Uid::Bias);
        const Tensor centred = binary(CUDNN_POINTWISE_SUB, norm.x, norm.mean);
        const Tensor normalised = binary(CUDNN_POINTWISE_MUL, centred, norm.inverseDeviation);
        return sum(binary(CUDNN_POINTWISE_MUL, normalised, norm.scale), bias);
    }

    void normGradients(GraphBuilder::NormTensors norm, Norm which, Tensor dy) {
        norm.dy = dy;
        norm.scaleGradient = perChannel(which, Uid::ScaleGradient);
        norm.biasGradient = perChannel(which, Uid::BiasGradient);
        norm.gradientFactor = perChannel(which, Uid::GradientFactor);
        norm.inputFactor = perChannel(which, Uid::InputFactor);
        norm.offset = perChannel(which, Uid::Offset);
        builder_.normGradient(norm);
    }

    Pass pass_;
    ConvolutionShape shape_;
    GraphBuilder builder_;
};

}  // namespace

Graph convolutionGraph(const Target& target, const Operators::Wanted& one, Precision type) {
    return ConvolutionGraph(one, type).build(target);
}

std::vector<Binding> bindingsOf(const Graph& graph, const ConvolutionShape& shape,
                                const LayerTensors& tensors) {
    float* const squares = tensors.sums == nullptr ? nullptr : tensors.sums + shape.outChannels;
    std::map<Uid, const void*> places{{Uid::Input, tensors.input},
                                      {Uid::Filter, tensors.filter},
                                      {Uid::Output, tensors.output},
                                      {Uid::Sum, tensors.sums},
                                      {Uid::SquareSum, squares},
                                      {Uid::Shortcut, tensors.shortcut},
                                      {Uid::Activated, tensors.blockOutput},
                                      {Uid::OtherGradient, tensors.otherGradient},
                                      {Uid::ReluGradient, tensors.dz}};
    for (const NormInFront* const which : {&tensors.front, &tensors.around}) {
        const auto& [norm, parameters, gradients] = *which;
        const std::pair<Uid, const void*> vectors[] = {{Uid::FoldedScale, norm.folded.scale},
                                                       {Uid::FoldedBias, norm.folded.shift},
                                                       {Uid::Mean, norm.mean},
                                                       {Uid::InverseDeviation, norm.inverseDeviation},
                                                       {Uid::Scale, parameters.gamma},
                                                       {Uid::Bias, parameters.beta},
                                                       {Uid::ScaleGradient, gradients.gamma},
                                                       {Uid::BiasGradient, gradients.beta},
                                                       {Uid::GradientFactor, norm.gain},
                                                       {Uid::InputFactor, norm.slope},
                                                       {Uid::Offset, norm.offset}};
        for (const auto& [uid, place] : vectors) {
            places[which == &tensors.front ? uid : ofShortcut(uid)] = place;
        }
    }
    std::vector<Binding> bindings;
    for (const GraphTensor& tensor : graph.tensors()) {
        // Some are only read; cuDNN's interface knows no const.
        bindings.push_back({tensor.uid, const_cast<void*>(places.at(tensor.uid))});
    }
    return bindings;
}

}  // namespace dlperf::worker::cuda::dnn
