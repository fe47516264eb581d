// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace dlperf::worker::cpu {

// Softmax cross-entropy of logits + bias against labels, the mean over the batch, with label smoothing as in
// PyTorch: the target is 1 - smoothing on the label plus smoothing / classes everywhere. `logits` (batch x
// classes) is replaced by the loss's gradient by it, `biasGradient` (classes) is set. Returns the loss.
float softmaxCrossEntropy(std::span<float> logits, std::span<const float> bias,
                          std::span<const std::int32_t> labels, double smoothing,
                          std::span<float> biasGradient);

}  // namespace dlperf::worker::cpu
