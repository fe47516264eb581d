// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace dlperf::worker::cuda {

struct LossShape {
    std::size_t batch;
    std::size_t classes;  // any number
};

// Pointers to the device. `Logit` is float or T.
template <typename Logit, typename T>
struct LossTensors {
    const Logit* logits;         // batch x classes, without the bias
    const float* bias;           // classes
    const std::int32_t* labels;  // batch, each below classes
    const float* lossScale;      // one; null: 1
    float* loss;                 // one: set to the mean over the batch, not scaled
    T* gradient;                 // batch x classes: set to lossScale * d loss / d logits; may be `logits`
    float* biasGradient;         // classes: set to lossScale * d loss / d bias
};

// Floats of scratch memory for softmaxCrossEntropy().
std::size_t lossScratchFloats(LossShape shape);

// Softmax cross-entropy of logits + bias with label smoothing as in PyTorch. Two kernels, which read the
// logits once each.
template <typename Logit, typename T>
void softmaxCrossEntropy(cudaStream_t stream, LossShape shape, float smoothing, LossTensors<Logit, T> tensors,
                         float* scratch);

}  // namespace dlperf::worker::cuda
