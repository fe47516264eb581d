// SPDX-License-Identifier: Apache-2.0
#include "net/resnet50.h"

#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/numbers.h"
#include "base/random.h"

namespace dlperf::worker {
namespace {

struct Stage {
    int blocks;
    int width;   // channels inside a block; its output has four times as many
    int stride;  // of its first block
};
constexpr std::array<Stage, 4> networkStages{{{3, 64, 1}, {4, 128, 2}, {6, 256, 2}, {3, 512, 2}}};
constexpr int blockExpansion = 4;
constexpr int stemChannels = 64;

int addConv(ResNet50& net, ConvLayer layer) {
    layer.outSize = (layer.inSize + 2 * layer.padding - layer.kernel) / layer.stride + 1;
    net.convs.push_back(std::move(layer));
    return static_cast<int>(net.convs.size()) - 1;
}

Bottleneck addBlock(ResNet50& net, const std::string& prefix, int inChannels, int width, int stride,
                    int size) {
    const int outChannels = width * blockExpansion;
    const int outSize = size / stride;
    Bottleneck block;
    block.conv1 = addConv(net, {prefix + "conv1", prefix + "bn1", inChannels, width, 1, 1, 0, size});
    block.conv2 = addConv(net, {prefix + "conv2", prefix + "bn2", width, width, 3, stride, 1, size});
    block.conv3 = addConv(net, {prefix + "conv3", prefix + "bn3", width, outChannels, 1, 1, 0, outSize});
    if (stride != 1 || inChannels != outChannels) {
        block.downsample = addConv(net, {prefix + "downsample.0", prefix + "downsample.1", inChannels,
                                         outChannels, 1, stride, 0, size});
    }
    return block;
}

}  // namespace

ResNet50 makeResNet50(int imageSize, int classes) {
    ResNet50 net;
    net.imageSize = imageSize;
    net.classes = classes;
    addConv(net, {"conv1", "bn1", 3, stemChannels, 7, 2, 3, imageSize});
    net.pooledSize = net.convs[0].outSize / 2;

    int channels = stemChannels;
    int size = net.pooledSize;
    for (std::size_t stage = 0; stage < networkStages.size(); ++stage) {
        for (int block = 0; block < networkStages[stage].blocks; ++block) {
            const std::string prefix =
                "layer" + std::to_string(stage + 1) + "." + std::to_string(block) + ".";
            const int stride = block == 0 ? networkStages[stage].stride : 1;
            net.blocks.push_back(addBlock(net, prefix, channels, networkStages[stage].width, stride, size));
            channels = networkStages[stage].width * blockExpansion;
            size /= stride;
        }
    }
    net.features = channels;
    return net;
}

std::size_t Parameter::count() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<Parameter> parametersOf(const ResNet50& net) {
    using Kind = Parameter::Kind;
    std::vector<Parameter> parameters;
    for (std::size_t i = 0; i < net.convs.size(); ++i) {
        const ConvLayer& conv = net.convs[i];
        const auto in = static_cast<std::size_t>(conv.inChannels);
        const auto out = static_cast<std::size_t>(conv.outChannels);
        const auto kernel = static_cast<std::size_t>(conv.kernel);
        const int layer = static_cast<int>(i);
        parameters.push_back({conv.name + ".weight", Kind::ConvWeight, {out, in, kernel, kernel}, layer});
        parameters.push_back({conv.normName + ".weight", Kind::NormScale, {out}, layer});
        parameters.push_back({conv.normName + ".bias", Kind::NormShift, {out}, layer});
    }
    const auto features = static_cast<std::size_t>(net.features);
    const auto classes = static_cast<std::size_t>(net.classes);
    parameters.push_back({"fc.weight", Kind::LinearWeight, {classes, features}, 0});
    parameters.push_back({"fc.bias", Kind::LinearBias, {classes}, 0});
    return parameters;
}

std::vector<float> initialValues(const Parameter& parameter, std::uint64_t seed, std::size_t index,
                                 int features) {
    using Kind = Parameter::Kind;
    std::vector<float> values(parameter.count(), 0.0F);
    Random random({seed, index});
    switch (parameter.kind) {
        case Kind::ConvWeight: {
            const std::size_t fanOut = parameter.shape[0] * parameter.shape[2] * parameter.shape[3];
            const auto deviation = static_cast<float>(std::sqrt(2.0 / static_cast<double>(fanOut)));
            for (float& value : values) {
                value = deviation * random.nearlyNormal();
            }
            break;
        }
        case Kind::NormScale:
            values.assign(values.size(), 1.0F);
            break;
        case Kind::NormShift:
            break;
        case Kind::LinearWeight:
        case Kind::LinearBias: {
            const double bound = 1.0 / std::sqrt(static_cast<double>(features));
            for (float& value : values) {
                value = static_cast<float>(random.between(-bound, bound));
            }
            break;
        }
    }
    return values;
}

namespace {

constexpr int evenBuffer = 2;
constexpr int oddBuffer = 3;

BlockBuffers planBlock(const Bottleneck& block, int incoming, int shortcut) {
    BlockBuffers plan;
    plan.incoming = incoming;
    plan.shortcut = shortcut;
    if (block.downsample == Bottleneck::none) {
        // dz goes around the block unchanged, so its buffer stays; the shortcut's is free once it is added.
        plan.conv3 = evenBuffer;
        plan.conv2 = oddBuffer;
        plan.conv1 = evenBuffer;
        plan.input = shortcut;
        plan.around = incoming;
    } else {
        // The shortcut's convolution comes first; then nothing needs dz any more but the main branch.
        plan.downsample = oddBuffer;
        plan.around = shortcut;
        plan.conv3 = incoming;
        plan.conv2 = evenBuffer;
        plan.conv1 = oddBuffer;
        plan.input = incoming;
    }
    return plan;
}

}  // namespace

GradientBuffers planGradientBuffers(const ResNet50& net) {
    GradientBuffers plan;
    plan.blocks.resize(net.blocks.size());
    int incoming = 0;
    int shortcut = 1;
    for (std::size_t b = net.blocks.size(); b-- > 0;) {
        plan.blocks[b] = planBlock(net.blocks[b], incoming, shortcut);
        incoming = plan.blocks[b].input;
        shortcut = plan.blocks[b].around;
    }
    plan.stem = evenBuffer;
    return plan;
}

Pooling stemPooling(const ResNet50& net, int batchSize) {
    const ConvLayer& stem = net.convs.front();
    return {asIndex(batchSize), asIndex(stem.outSize), asIndex(net.pooledSize), asIndex(stem.outChannels)};
}

Pooling lastPooling(const ResNet50& net, int batchSize) {
    return {asIndex(batchSize), asIndex(net.convs.back().outSize), 1, asIndex(net.features)};
}

}  // namespace dlperf::worker
