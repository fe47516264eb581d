// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dlperf::worker {

// g = gradientScale * gradient + weightDecay * w; m = momentum * m + g; w = w - learningRate * m, as in
// PyTorch, for all parameters. On a GPU it lies in the device's memory: a graph of kernels reads there what
// differs from step to step.
struct SgdStep {
    float learningRate = 0;
    float momentum = 0;
    float weightDecay = 0;
    float gradientScale = 1;
};

}  // namespace dlperf::worker
