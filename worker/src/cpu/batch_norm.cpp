// SPDX-License-Identifier: Apache-2.0
#include "cpu/batch_norm.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dlperf::worker::cpu {
namespace {

float valueOf(float x) {
    return x;
}
float valueOf(Bf16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

double inverseDeviation(float variance) {
    return 1.0 / std::sqrt(static_cast<double>(variance) + BatchNorm::normEpsilon);
}

}  // namespace

BatchNorm::BatchNorm(Rows shape, bool frozen)
    : shape_(shape),
      frozen_(frozen),
      mean_(shape.channels, 0.0F),
      variance_(shape.channels, 1.0F),
      runningMean_(shape.channels, 0.0F),
      runningVariance_(shape.channels, 1.0F),
      scale_(shape.channels),
      shift_(shape.channels),
      gain_(shape.channels),
      slope_(shape.channels),
      offset_(shape.channels) {}

void BatchNorm::bind(const float* gamma, const float* beta, float* gammaGradient, float* betaGradient) {
    gamma_ = gamma;
    beta_ = beta;
    gammaGradient_ = gammaGradient;
    betaGradient_ = betaGradient;
}

template <typename T>
void BatchNorm::updateStatistics(const ActivationKernels<T>& run, const T* x, Scratch scratch, double* sums) {
    if (!frozen_) {
        run.statistics(shape_, x, scratch, sums);
        const auto count = static_cast<double>(shape_.rows);
        const double unbiased = count / std::max(count - 1, 1.0);
        const auto blend = [](float old, double now) {
            return static_cast<float>((1 - statisticsMomentum) * static_cast<double>(old) +
                                      statisticsMomentum * now);
        };
        for (std::size_t c = 0; c < shape_.channels; ++c) {
            const double centred = sums[c] / count;
            const double mean = static_cast<double>(valueOf(x[c])) + centred;
            const double variance = std::max(sums[shape_.channels + c] / count - centred * centred, 0.0);
            mean_[c] = static_cast<float>(mean);
            variance_[c] = static_cast<float>(variance);
            runningMean_[c] = blend(runningMean_[c], mean);
            runningVariance_[c] = blend(runningVariance_[c], variance * unbiased);
        }
    } else {
        mean_ = runningMean_;
        variance_ = runningVariance_;
    }
    setAffine();
}

template void BatchNorm::updateStatistics(const ActivationKernels<float>&, const float*, Scratch, double*);
template void BatchNorm::updateStatistics(const ActivationKernels<Bf16>&, const Bf16*, Scratch, double*);

void BatchNorm::setAffine() {
    for (std::size_t c = 0; c < shape_.channels; ++c) {
        const double scale = static_cast<double>(gamma_[c]) * inverseDeviation(variance_[c]);
        scale_[c] = static_cast<float>(scale);
        shift_[c] = static_cast<float>(static_cast<double>(beta_[c]) - scale * static_cast<double>(mean_[c]));
    }
}

void BatchNorm::foldGradients(const double* dzSums, const double* dzCentredSums) {
    // dx = gain * (dz - mean(dz) - xhat * mean(dz * xhat)); with frozen statistics only the first term.
    const auto count = static_cast<double>(shape_.rows);
    for (std::size_t c = 0; c < shape_.channels; ++c) {
        const double inverse = inverseDeviation(variance_[c]);
        const double gain = static_cast<double>(gamma_[c]) * inverse;
        const double dzNormalisedSum = dzCentredSums[c] * inverse;
        gammaGradient_[c] = static_cast<float>(dzNormalisedSum);
        betaGradient_[c] = static_cast<float>(dzSums[c]);

        const double slope = frozen_ ? 0 : -gain * inverse * dzNormalisedSum / count;
        const double level = frozen_ ? 0 : -gain * dzSums[c] / count;
        gain_[c] = static_cast<float>(gain);
        slope_[c] = static_cast<float>(slope);
        offset_[c] = static_cast<float>(level - slope * static_cast<double>(mean_[c]));
    }
}

}  // namespace dlperf::worker::cpu
