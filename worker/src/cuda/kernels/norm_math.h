// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/kernels/floats.h"

namespace dlperf::worker::cuda {

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

constexpr double normEpsilon = 1e-5;  // PyTorch's
constexpr double normMomentum = 0.1;  // of the running statistics, likewise

// Of one channel.
struct Moments {
    double mean;
    double variance;  // divided by the number of rows
};

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

// Kept within fp16's range; what is not a number stays so.
DLPERF_BOTH inline float withinHalf(double x) {
    constexpr double largestHalf = 65504;
    const double below = x > largestHalf ? largestHalf : x;
    return static_cast<float>(below < -largestHalf ? -largestHalf : below);
}

DLPERF_BOTH inline float runningAfter(float before, double now) {
    return static_cast<float>((1 - normMomentum) * static_cast<double>(before) + normMomentum * now);
}

// The variance that running statistics keep: divided by one row less.
DLPERF_BOTH inline double unbiased(double variance, double rows) {
    return rows > 1 ? variance * rows / (rows - 1) : variance;
}

// Of one channel: the parameters' gradients, and what inputGradient() takes.
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

}  // namespace dlperf::worker::cuda
