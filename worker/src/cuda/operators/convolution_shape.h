// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "net/resnet50.h"

namespace dlperf::worker::cuda::dnn {

// Images, channels, height, width: cuDNN's order, whatever the order in memory. A filter's: output channels,
// input channels, height, width.
using Dimensions = std::array<std::int64_t, 4>;

// A convolution of square images with square filters, without dilation or groups.
struct ConvolutionShape {
    int batch = 0;
    int inChannels = 0;
    int outChannels = 0;
    int inSize = 0;  // pixels a side
    int outSize = 0;
    int kernel = 1;
    int stride = 1;
    int padding = 0;

    Dimensions input() const { return {batch, inChannels, inSize, inSize}; }
    Dimensions output() const { return {batch, outChannels, outSize, outSize}; }
    Dimensions filter() const { return {outChannels, inChannels, kernel, kernel}; }

    // "n256 c64 k64 in56 out56 r3 s1 p1"
    std::string text() const;

    auto operator<=>(const ConvolutionShape&) const = default;
};

// Input channels are rounded up to a multiple of four, which concerns the stem: cuDNN has its fast engines
// for four channels, of which the fourth is zero.
ConvolutionShape shapeOf(const ConvLayer& layer, int batch);

}  // namespace dlperf::worker::cuda::dnn
