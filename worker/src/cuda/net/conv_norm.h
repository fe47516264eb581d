// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "cuda/kernels/batch_norm.h"
#include "cuda/operators/convolution_shape.h"

namespace dlperf::worker::cuda {

// How a convolution is computed forward, and its weight gradient.
enum class ForwardFusion {
    Unfused,     // one after the other: what is in front, the convolution, its output's statistics
    Statistics,  // the convolution makes the statistics
    Prologue,    // and normalises what it reads. Inside a block so does the weight gradient, and y in front
                 // is not stored; behind a block its output is stored meanwhile, but not the mask.
};

// What is fused with a convolution.
struct FusionStrategy {
    ForwardFusion forward = ForwardFusion::Unfused;
    bool dataNorm = false;  // the data gradient goes on through the ReLU in front, with its sums

    bool operator==(const FusionStrategy&) const = default;
};

// A convolution and the normalisation behind it: all that they have in the device's memory.
template <typename T>
struct ConvNorm {
    dnn::ConvolutionShape shape;
    Rows rows{};  // of its output
    FusionStrategy fusion;
    T* filter = nullptr;
    T* filterGradient = nullptr;
    T* x = nullptr;  // the convolution's output
    T* y = nullptr;  // normalised, rectified; null where it is not stored
    NormMemory norm{};
    NormParameters parameters{};
    ParameterGradients gradients{};
    RunningStatistics running{};
};

// What meets at the end of a block.
template <typename T>
struct BlockEndLayers {
    const ConvNorm<T>& main;
    const ConvNorm<T>* around = nullptr;  // the shortcut's convolution; null: it has none
    const T* input = nullptr;             // the block's, which then is the shortcut
    std::uint8_t* mask = nullptr;         // of the ReLU behind

    BlockEnd<T> tensors() const {
        if (around == nullptr) {
            return {main.x, main.norm.mean, nullptr, nullptr};
        }
        return {main.x, main.norm.mean, around->x, around->norm.mean};
    }
};

}  // namespace dlperf::worker::cuda
