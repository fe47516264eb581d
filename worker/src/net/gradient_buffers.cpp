// SPDX-License-Identifier: Apache-2.0
#include "net/gradient_buffers.h"

namespace dlperf::worker {
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

}  // namespace dlperf::worker
