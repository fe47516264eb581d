// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "net/resnet50.h"

namespace dlperf::worker {

// Four buffers, each the size of the largest activation, hold all gradients of the backward pass; these are
// their numbers. What enters a block comes in two parts: through the next block's convolutions, and around
// them.
constexpr int gradientBufferCount = 4;

// Where a block's gradients go. Several are of one buffer, as one is needed no longer when the next is set.
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
    int stem =
        0;  // the gradient of the stem's output; what enters are the first block's `input` and `around`
};

// Walks the network backwards, as the backward pass does.
GradientBuffers planGradientBuffers(const ResNet50& net);

}  // namespace dlperf::worker
