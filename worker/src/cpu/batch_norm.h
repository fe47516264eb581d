// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cpu/kernels.h"

namespace dlperf::worker::cpu {

// Batch normalisation of one layer's channels, without the passes over its activations: those are in
// kernels.h, fused with what comes next. Here sums become statistics and coefficients. All of it is fp32,
// sums are double.
class BatchNorm {
public:
    static constexpr double normEpsilon = 1e-5;        // PyTorch's
    static constexpr double statisticsMomentum = 0.1;  // of the running statistics, likewise

    // `frozen`: normalise with the running statistics, which then stay as they are.
    BatchNorm(Rows shape, bool frozen);

    // Where its parameters and their gradients lie.
    void bind(const float* gamma, const float* beta, float* gammaGradient, float* betaGradient);

    const Rows& shape() const { return shape_; }
    const float* mean() const { return mean_.data(); }
    Affine affine() const { return {scale_.data(), shift_.data()}; }
    NormGradient gradient() const { return {gain_.data(), slope_.data(), offset_.data()}; }

    // The statistics of x, and with them affine().
    template <typename T>
    void updateStatistics(const ActivationKernels<T>& run, const T* x, Scratch scratch, double* sums);

    // From the sums over rows of dz and of dz * (x - mean): the parameters' gradients, and gradient().
    void foldGradients(const double* dzSums, const double* dzCentredSums);

private:
    void setAffine();

    Rows shape_;
    bool frozen_;
    const float* gamma_ = nullptr;
    const float* beta_ = nullptr;
    float* gammaGradient_ = nullptr;
    float* betaGradient_ = nullptr;
    std::vector<float> mean_, variance_, runningMean_, runningVariance_;
    std::vector<float> scale_, shift_;
    std::vector<float> gain_, slope_, offset_;
};

}  // namespace dlperf::worker::cpu
