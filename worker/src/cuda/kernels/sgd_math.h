// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

// One step, as it lies in the device's memory: a graph of kernels reads there what differs from step to
// step.
struct SgdControl {
    float learningRate;
    float momentum;
    float weightDecay;
    float gradientScale;
};

// Of one parameter.
struct SgdElement {
    float weight;
    float momentum;
};

// g = gradientFactor * gradient + weightDecay * w; m = momentum * m + g; w = w - learningRate * m, as
// PyTorch does it.
DLPERF_BOTH inline SgdElement sgdElement(SgdElement before, float gradient, float gradientFactor,
                                         const SgdControl& control) {
    const float g = fmaf(control.weightDecay, before.weight, gradientFactor * gradient);
    const float momentum = fmaf(control.momentum, before.momentum, g);
    return {fmaf(-control.learningRate, momentum, before.weight), momentum};
}

}  // namespace dlperf::worker::cuda
