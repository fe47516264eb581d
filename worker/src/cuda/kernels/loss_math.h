// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

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

}  // namespace dlperf::worker::cuda
