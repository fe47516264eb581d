// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dlperf::worker {

// One convolution and the batch normalisation behind it. Images are square, kernels too; no convolution has
// a bias.
struct ConvLayer {
    std::string name;      // PyTorch's, as "layer1.0.conv2"
    std::string normName;  // PyTorch's, as "layer1.0.bn2"
    int inChannels = 0;
    int outChannels = 0;
    int kernel = 1;
    int stride = 1;
    int padding = 0;
    int inSize = 0;  // pixels a side
    int outSize = 0;
};

// y = relu(bn3(conv3(.)) + shortcut): indices into ResNet50::convs. v1.5: conv2 has the stride.
struct Bottleneck {
    static constexpr int none = -1;
    int conv1 = none;
    int conv2 = none;
    int conv3 = none;
    int downsample = none;  // the shortcut's convolution; none: the block's input itself
};

// The network as a table; what every backend builds its plan from.
struct ResNet50 {
    int imageSize = 0;
    int classes = 0;
    std::vector<ConvLayer> convs;    // 53, in the order of PyTorch's parameters; convs[0] is the stem
    std::vector<Bottleneck> blocks;  // 16
    int pooledSize = 0;              // pixels a side behind the stem's max pooling
    int features = 0;                // inputs of the last, fully connected layer
};

// `imageSize` is a multiple of 32.
ResNet50 makeResNet50(int imageSize, int classes);

// A tensor that is trained, in PyTorch's name, order and shape.
struct Parameter {
    enum class Kind { ConvWeight, NormScale, NormShift, LinearWeight, LinearBias };
    std::string name;
    Kind kind = Kind::ConvWeight;
    std::vector<std::size_t> shape;  // out, in, height, width | channels | out, in | out
    int layer = 0;                   // index into convs; unused for the last layer's

    std::size_t count() const;
};

// 161 of them: three a convolution, then the last layer's weight and bias.
std::vector<Parameter> parametersOf(const ResNet50& net);

}  // namespace dlperf::worker
