// SPDX-License-Identifier: Apache-2.0
#include "net/resnet50.h"

#include <array>
#include <functional>
#include <numeric>

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

}  // namespace dlperf::worker
