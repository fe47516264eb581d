// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/fused_graphs.h"

#include <optional>
#include <string>
#include <utility>

#include "cuda/dnn/graph_builder.h"

namespace dlperf::worker::cuda::dnn {
namespace {

using Tensor = GraphBuilder::Tensor;
constexpr ElementType fusedType = ElementType::Fp16;

// scale * x + bias, which stays between the operations; the numbers are those of the three tensors.
Tensor scaledAndShifted(GraphBuilder& builder, const ConvolutionShape& shape, cudnnDataType_t between, Uid x,
                        Uid scale, Uid bias) {
    const Dimensions all = shape.input();
    const Dimensions perChannel{1, shape.inChannels, 1, 1};
    const Tensor scaled = builder.between(all, between);
    const Tensor shifted = builder.between(all, between);
    builder.multiply(builder.tensor(x, all), builder.tensor(scale, perChannel), scaled);
    builder.add(scaled, builder.tensor(bias, perChannel), shifted);
    return shifted;
}

// relu(Scale * Input + Bias), which stays between the operations.
Tensor normalisedInput(GraphBuilder& builder, const ConvolutionShape& shape, cudnnDataType_t between) {
    const Tensor shifted = scaledAndShifted(builder, shape, between, Uid::Input, Uid::Scale, Uid::Bias);
    const Tensor activated = builder.between(shape.input(), between);
    builder.relu(shifted, activated);
    return activated;
}

// The sum, which stays between the operations.
Tensor sumOf(GraphBuilder& builder, const ConvolutionShape& shape, Tensor a, Tensor b) {
    const Tensor sum = builder.between(shape.input(), CUDNN_DATA_FLOAT);
    builder.add(a, b, sum);
    return sum;
}

// A block's shortcut in the forward pass.
Tensor shortcutOf(GraphBuilder& builder, const ConvolutionShape& shape, Shortcut shortcut) {
    if (shortcut == Shortcut::Stored) {
        return builder.tensor(Uid::Shortcut, shape.input());
    }
    return scaledAndShifted(builder, shape, CUDNN_DATA_FLOAT, Uid::ShortcutInput, Uid::FoldedShortcutScale,
                            Uid::FoldedShortcutBias);
}

// The convolution of x, with its output's statistics.
void forwardStatistics(GraphBuilder& builder, const ConvolutionShape& shape, Tensor x) {
    const Tensor w = builder.tensor(Uid::Filter, shape.filter());
    const Tensor y = builder.tensor(Uid::Output, shape.output());
    builder.forward(shape, x, w, y);
    const Tensor sum = builder.perChannel(Uid::Sum, shape.outChannels);
    const Tensor squareSum = builder.perChannel(Uid::SquareSum, shape.outChannels);
    builder.statistics(y, sum, squareSum);
}

// The numbers of a normalisation's tensors.
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

// A normalisation in front of a convolution, computed again and then backwards.
class NormBackwards {
public:
    NormBackwards(GraphBuilder& builder, const ConvolutionShape& shape, const NormUids& uids)
        : builder_(builder), shape_(shape), uids_(uids) {
        norm_.x = builder_.tensor(uids_.x, shape_.input());
        norm_.mean = perChannel(uids_.mean);
        norm_.inverseDeviation = perChannel(uids_.inverseDeviation);
        norm_.scale = perChannel(uids_.scale);
    }

    Tensor output() {
        const Tensor bias = perChannel(uids_.bias);
        const Tensor centred = between();
        const Tensor normalised = between();
        const Tensor scaled = between();
        const Tensor shifted = between();
        builder_.subtract(norm_.x, norm_.mean, centred);
        builder_.multiply(centred, norm_.inverseDeviation, normalised);
        builder_.multiply(normalised, norm_.scale, scaled);
        builder_.add(scaled, bias, shifted);
        return shifted;
    }

    // `dy` is the gradient of output().
    void gradients(Tensor dy) {
        norm_.dy = dy;
        norm_.scaleGradient = perChannel(uids_.scaleGradient);
        norm_.biasGradient = perChannel(uids_.biasGradient);
        norm_.gradientFactor = perChannel(uids_.gradientFactor);
        norm_.inputFactor = perChannel(uids_.inputFactor);
        norm_.offset = perChannel(uids_.offset);
        builder_.normGradient(norm_);
    }

private:
    Tensor perChannel(Uid uid) { return builder_.perChannel(uid, shape_.inChannels); }
    Tensor between() { return builder_.between(shape_.input(), CUDNN_DATA_FLOAT); }

    GraphBuilder& builder_;
    ConvolutionShape shape_;
    NormUids uids_;
    GraphBuilder::NormTensors norm_;
};

// The data gradient, of all that reads the convolution's input.
Tensor inputGradient(GraphBuilder& builder, const ConvolutionShape& shape, bool addsGradient) {
    const Tensor dy = builder.tensor(Uid::OutputGradient, shape.output());
    const Tensor w = builder.tensor(Uid::Filter, shape.filter());
    const Tensor dx = builder.between(shape.input(), CUDNN_DATA_FLOAT);
    builder.dataGradient(shape, dy, w, dx);
    if (!addsGradient) {
        return dx;
    }
    return sumOf(builder, shape, dx, builder.tensor(Uid::OtherGradient, shape.input()));
}

std::string borderForwardName(Shortcut shortcut) {
    return std::string("border-forward-statistics-") + (shortcut == Shortcut::Stored ? "shortcut" : "dual");
}

std::string dataNormGradientName(const Front& front) {
    std::string name = "data-norm-gradient";
    if (front.addsGradient) {
        name += "-add";
    }
    if (front.shortcut == Shortcut::Stored) {
        name += "-shortcut";
    }
    if (front.shortcut == Shortcut::Normalised) {
        name += "-dual";
    }
    return name;
}

}  // namespace

Graph forwardStatisticsGraph(const Target& target, const ConvolutionShape& shape) {
    GraphBuilder builder(fusedType);
    forwardStatistics(builder, shape, builder.tensor(Uid::Input, shape.input()));
    return std::move(builder).finish(target, "forward-statistics", shape);
}

Graph normForwardStatisticsGraph(const Target& target, const ConvolutionShape& shape) {
    GraphBuilder builder(fusedType);
    forwardStatistics(builder, shape, normalisedInput(builder, shape, CUDNN_DATA_FLOAT));
    return std::move(builder).finish(target, "norm-forward-statistics", shape);
}

Graph borderForwardStatisticsGraph(const Target& target, const ConvolutionShape& shape, Shortcut shortcut) {
    GraphBuilder builder(fusedType);
    const Tensor normalised =
        scaledAndShifted(builder, shape, CUDNN_DATA_FLOAT, Uid::Input, Uid::Scale, Uid::Bias);
    const Tensor sum = sumOf(builder, shape, normalised, shortcutOf(builder, shape, shortcut));
    const Tensor activated = builder.tensor(Uid::Activated, shape.input());
    builder.relu(sum, activated);
    forwardStatistics(builder, shape, activated);
    return std::move(builder).finish(target, borderForwardName(shortcut), shape);
}

Graph normWeightGradientGraph(const Target& target, const ConvolutionShape& shape) {
    GraphBuilder builder(fusedType);
    const Tensor x = normalisedInput(builder, shape, CUDNN_DATA_HALF);
    const Tensor dy = builder.tensor(Uid::OutputGradient, shape.output());
    const Tensor dw = builder.tensor(Uid::FilterGradient, shape.filter());
    builder.weightGradient(shape, x, dy, dw);
    return std::move(builder).finish(target, "norm-weight-gradient", shape);
}

Graph dataNormGradientGraph(const Target& target, const ConvolutionShape& shape, const Front& front) {
    GraphBuilder builder(fusedType);
    const Tensor dx = inputGradient(builder, shape, front.addsGradient);
    NormBackwards norm(builder, shape, normUids);
    Tensor decisive = norm.output();
    std::optional<NormBackwards> shortcut;
    if (front.shortcut == Shortcut::Stored) {
        decisive = sumOf(builder, shape, decisive, builder.tensor(Uid::Shortcut, shape.input()));
    } else if (front.shortcut == Shortcut::Normalised) {
        shortcut.emplace(builder, shape, shortcutNormUids);
        decisive = sumOf(builder, shape, decisive, shortcut->output());
    }
    const Tensor dz = builder.tensor(Uid::ReluGradient, shape.input());
    builder.reluGradient(dx, decisive, dz);
    norm.gradients(dz);
    if (shortcut) {
        shortcut->gradients(dz);
    }
    return std::move(builder).finish(target, dataNormGradientName(front), shape);
}

}  // namespace dlperf::worker::cuda::dnn
