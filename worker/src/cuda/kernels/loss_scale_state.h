// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

// The loss is multiplied by `scale` so that gradients of __half do not vanish; the scale falls when one of
// them is too large, and such a step is left out.
struct LossScaleState {
    float scale = 65536;
    int goodSteps = 0;  // since the scale last changed
    int skipped = 0;    // steps, in all
};

constexpr float lowestLossScale = 1;
constexpr float highestLossScale = 65536.0F * 256;
constexpr int goodStepsToGrow = 2000;

// After a step. Scales are powers of two: they change no digit of a gradient.
DLPERF_BOTH inline LossScaleState lossScaleAfter(LossScaleState state, bool overflow) {
    if (overflow) {
        ++state.skipped;
        state.goodSteps = 0;
        if (state.scale > lowestLossScale) {
            state.scale /= 2;
        }
        return state;
    }
    if (++state.goodSteps < goodStepsToGrow) {
        return state;
    }
    state.goodSteps = 0;
    if (state.scale < highestLossScale) {
        state.scale *= 2;
    }
    return state;
}

}  // namespace dlperf::worker::cuda
