// SPDX-License-Identifier: Apache-2.0
#include "cpu/loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dlperf::worker::cpu {
namespace {

// One image: returns its loss, leaves the gradient (times `share`) in `row`.
double oneImage(std::span<float> row, std::size_t label, double smoothing, double share) {
    const auto classes = static_cast<double>(row.size());
    const float highest = *std::max_element(row.begin(), row.end());
    double total = 0;
    double logitSum = 0;
    for (const float logit : row) {
        total += std::exp(static_cast<double>(logit - highest));
        logitSum += static_cast<double>(logit);
    }
    const double logTotal = std::log(total) + static_cast<double>(highest);
    const double onLabel = logTotal - static_cast<double>(row[label]);
    const double onAll = logTotal - logitSum / classes;

    for (std::size_t c = 0; c < row.size(); ++c) {
        const double target = smoothing / classes + (c == label ? 1 - smoothing : 0);
        const double probability = std::exp(static_cast<double>(row[c]) - logTotal);
        row[c] = static_cast<float>((probability - target) * share);
    }
    return (1 - smoothing) * onLabel + smoothing * onAll;
}

}  // namespace

float softmaxCrossEntropy(std::span<float> logits, std::span<const float> bias,
                          std::span<const std::int32_t> labels, double smoothing,
                          std::span<float> biasGradient) {
    const std::size_t classes = bias.size();
    const double share = 1.0 / static_cast<double>(labels.size());
    std::fill(biasGradient.begin(), biasGradient.end(), 0.0F);
    double loss = 0;
    for (std::size_t image = 0; image < labels.size(); ++image) {
        const std::span<float> row = logits.subspan(image * classes, classes);
        for (std::size_t c = 0; c < classes; ++c) {
            row[c] += bias[c];
        }
        loss += oneImage(row, static_cast<std::size_t>(labels[image]), smoothing, share) * share;
        for (std::size_t c = 0; c < classes; ++c) {
            biasGradient[c] += row[c];
        }
    }
    return static_cast<float>(loss);
}

}  // namespace dlperf::worker::cpu
