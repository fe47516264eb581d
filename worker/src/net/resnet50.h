// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "net/tensor_shapes.h"

namespace dlperf::worker {

// One convolution and the batch normalisation behind it. Images are square, kernels too; no convolution has a
// bias.
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

// The values that training starts from, the same on every rank for the same seed: convolutions by He's rule
// for the outputs (variance 2 / (out * height * width)), normalisation 1 and 0, the last layer uniform in +-1
// / sqrt(inputs). `index` is the parameter's in parametersOf().
std::vector<float> initialValues(const Parameter& parameter, std::uint64_t seed, std::size_t index,
                                 int features);

// Four buffers, each the size of the largest activation, hold all gradients of the backward pass. What enters
// a block comes in two parts: through the next block's convolutions, and around them.
constexpr int gradientBufferCount = 4;

// The numbers of the buffers that hold a block's gradients.
struct BlockBuffers {
    int incoming = 0;  // becomes dz, the gradient behind the ReLU at the block's end, in place
    int shortcut = 0;  // the other part of what enters; not set at the last block
    int conv3 = 0;     // gradients of the convolutions' outputs
    int conv2 = 0;     // those of conv2's and conv1's begin as the gradient of what the next one takes
    int conv1 = 0;
    int downsample = 0;  // only in a block that has one
    int input = 0;       // of the block's input: through conv1
    int around = 0;      // and around the block
};

struct GradientBuffers {
    std::vector<BlockBuffers> blocks;
    int stem = 0;  // of the stem's output
};

GradientBuffers planGradientBuffers(const ResNet50& net);

// Behind the stem, and in front of the last layer.
Pooling stemPooling(const ResNet50& net, int batchSize);
Pooling lastPooling(const ResNet50& net, int batchSize);

}  // namespace dlperf::worker
