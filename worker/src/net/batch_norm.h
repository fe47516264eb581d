// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "base/portable.h"

namespace dlperf::worker {

// Batch normalisation, a channel at a time: from sums over its rows to what its passes are done with. Both
// backends'.

constexpr double normEpsilon = 1e-5;  // PyTorch's

// Of one channel.
struct Moments {
    double mean;
    double variance;  // divided by the number of rows
};

// What frozen normalisation takes for every channel: PyTorch's running statistics before training. None are
// kept, as only an evaluation would read them.
DLPERF_BOTH inline Moments frozenMoments() {
    return {0, 1};
}

// From sums over rows of x - pivot and of its square.
DLPERF_BOTH inline Moments momentsOf(double pivot, double sum, double squareSum, double rows) {
    const double centred = sum / rows;
    const double variance = squareSum / rows - centred * centred;
    return {pivot + centred, variance < 0 ? 0 : variance};
}

// Of one channel.
struct NormValues {
    float mean;
    float inverseDeviation;
    float scale;  // gamma * inverseDeviation
    float shift;  // beta - mean * scale
};

DLPERF_BOTH inline NormValues normValues(Moments moments, float gamma, float beta) {
    const double inverse = 1 / std::sqrt(moments.variance + normEpsilon);
    const double scale = static_cast<double>(gamma) * inverse;
    return {static_cast<float>(moments.mean), static_cast<float>(inverse), static_cast<float>(scale),
            static_cast<float>(static_cast<double>(beta) - scale * moments.mean)};
}

// Of one channel: the parameters' gradients, and its NormGradient.
struct NormGradientValues {
    float gamma;
    float beta;
    float gain;
    float slope;
    float offset;
};

// What the sums over rows are folded into. dx = gain * (dz - mean(dz) - xhat * mean(dz * xhat)); with frozen
// statistics only the first term.
DLPERF_BOTH inline NormGradientValues normGradientValues(double dzSum, double dzCentredSum, double rows,
                                                         float gamma, float mean, float inverseDeviation,
                                                         bool frozen) {
    const auto inverse = static_cast<double>(inverseDeviation);
    const double gain = static_cast<double>(gamma) * inverse;
    const double dzNormalisedSum = dzCentredSum * inverse;
    const double slope = frozen ? 0 : -gain * inverse * dzNormalisedSum / rows;
    const double level = frozen ? 0 : -gain * dzSum / rows;
    return {static_cast<float>(dzNormalisedSum), static_cast<float>(dzSum), static_cast<float>(gain),
            static_cast<float>(slope), static_cast<float>(level - slope * static_cast<double>(mean))};
}

}  // namespace dlperf::worker
