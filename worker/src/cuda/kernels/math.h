// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/portable.h"
#include "net/batch_norm.h"
#include "net/sgd.h"

namespace dlperf::worker::cuda {

// Elements that one thread treats together: neighbouring channels, one byte of a mask. Their addresses are
// multiples of 16 bytes.
constexpr int packSize = 8;

// A pack in registers, as it is computed with.
struct Floats {
    float values[packSize];
    DLPERF_BOTH float& operator[](int k) { return values[k]; }
    DLPERF_BOTH float operator[](int k) const { return values[k]; }
};

// Fused, so that every kernel rounds alike: a mask made again from x is the one that was made first.
DLPERF_BOTH inline float affine(float x, float scale, float shift) {
    return fmaf(x, scale, shift);
}

// relu, but what is not a number stays so: a broken run is not to look sound.
DLPERF_BOTH inline float rectified(float x) {
    return x <= 0 ? 0 : x;
}

// Bit k says whether the k-th of a pack is above zero.
DLPERF_BOTH inline std::uint8_t maskOf(const Floats& values) {
    unsigned bits = 0;
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        bits |= (values[k] > 0 ? 1U : 0U) << k;
    }
    return static_cast<std::uint8_t>(bits);
}

DLPERF_BOTH inline float whereSet(unsigned mask, int k, float value) {
    return (mask >> k & 1U) != 0 ? value : 0;
}

// dx = gain * dz + slope * x + offset.
DLPERF_BOTH inline float inputGradient(float dz, float x, float gain, float slope, float offset) {
    return fmaf(gain, dz, fmaf(slope, x, offset));
}

// Kept within fp16's range; what is not a number stays so.
DLPERF_BOTH inline float withinHalf(double x) {
    constexpr double largestHalf = 65504;
    const double below = x > largestHalf ? largestHalf : x;
    return static_cast<float>(below < -largestHalf ? -largestHalf : below);
}

// (value / 255 - mean) / deviation with ImageNet's constants of a colour.
DLPERF_BOTH inline float normalizedPixel(float value, int colour) {
    constexpr float scale[3] = {1 / (255 * 0.229F), 1 / (255 * 0.224F), 1 / (255 * 0.225F)};
    constexpr float shift[3] = {-0.485F / 0.229F, -0.456F / 0.224F, -0.406F / 0.225F};
    return fmaf(value, scale[colour], shift[colour]);
}

// Pixels of a row that a thread treats together: 12 bytes, three words.
constexpr int pixelGroup = 4;

// The group of the source that the `group`-th of `groups` is made of; its pixels are then in reverse as well.
DLPERF_BOTH inline unsigned sourceGroup(unsigned group, unsigned groups, bool flipped) {
    return flipped ? groups - 1 - group : group;
}
DLPERF_BOTH inline int sourcePixel(int pixel, bool flipped) {
    return flipped ? pixelGroup - 1 - pixel : pixel;
}

// Pooling with windows of 3 x 3, stride 2, padding 1. Positions in a window are counted 0 to 8 in rows.
constexpr int windowSize = 3;

// The pixel, along one axis, of position k (0 to 2) of the window of output pixel `out`; one outside the
// image is not below its size.
DLPERF_BOTH inline std::size_t windowPixel(std::size_t out, int k) {
    return 2 * out + static_cast<std::size_t>(k) - 1;  // wraps around below zero
}

// Whether `value` takes the place of the best so far. What is not a number wins and stays, so that it is
// seen.
DLPERF_BOTH inline bool beats(float value, float best) {
    return value > best || value != value;
}

// The gradient is gathered for patches of 2 x 2 input pixels: along one axis, pixels 2 p and 2 p + 1 lie in
// the windows of the output pixels p and p + 1 and of no others. The position of pixel `side` (0 or 1) of the
// patch in the window p + `next` (0 or 1); negative: it is not in it.
DLPERF_BOTH inline int patchPosition(int side, int next) {
    return side == 1 ? 2 - 2 * next : 1 - 2 * next;
}

// What is known of some of an image's logits: their largest, sum of exp(logit - largest), and sum.
struct LogitSums {
    float largest;
    float exponentials;
    float sum;
};

DLPERF_BOTH inline LogitSums noLogits() {
    return {-INFINITY, 0, 0};
}

DLPERF_BOTH inline LogitSums together(LogitSums a, LogitSums b) {
    // Of none, and where all are infinite, a difference would not be a number.
    if (b.exponentials == 0) {
        return a;
    }
    if (a.exponentials == 0) {
        return b;
    }
    const LogitSums upper = a.largest >= b.largest ? a : b;
    const LogitSums lower = a.largest >= b.largest ? b : a;
    return {upper.largest, upper.exponentials + lower.exponentials * std::exp(lower.largest - upper.largest),
            a.sum + b.sum};
}

DLPERF_BOTH inline LogitSums withLogit(LogitSums sums, float logit) {
    return together(sums, {logit, 1, logit});
}

// log of the sum of exp(logit).
DLPERF_BOTH inline float logTotal(LogitSums sums) {
    return sums.largest + std::log(sums.exponentials);
}

// Label smoothing as in PyTorch: the target is 1 - smoothing on the label plus smoothing / classes
// everywhere.
DLPERF_BOTH inline float imageLoss(float total, float labelLogit, float logitSum, float classes,
                                   float smoothing) {
    return (1 - smoothing) * (total - labelLogit) + smoothing * (total - logitSum / classes);
}

// Of one image's loss by a logit.
DLPERF_BOTH inline float logitGradient(float logit, float total, bool isLabel, float classes,
                                       float smoothing) {
    const float target = smoothing / classes + (isLabel ? 1 - smoothing : 0);
    return std::exp(logit - total) - target;
}

// The loss is multiplied by `scale` so that gradients of __half do not vanish; the scale falls when one of
// them is too large, and such a step is skipped.
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

// Of one parameter.
struct SgdElement {
    float weight;
    float momentum;
};

// g = gradientFactor * gradient + weightDecay * w; m = momentum * m + g; w = w - learningRate * m, as PyTorch
// does it.
DLPERF_BOTH inline SgdElement sgdElement(SgdElement before, float gradient, float gradientFactor,
                                         const SgdStep& control) {
    const float g = fmaf(control.weightDecay, before.weight, gradientFactor * gradient);
    const float momentum = fmaf(control.momentum, before.momentum, g);
    return {fmaf(-control.learningRate, momentum, before.weight), momentum};
}

}  // namespace dlperf::worker::cuda
