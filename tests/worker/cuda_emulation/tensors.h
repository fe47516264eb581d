// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/kernels/pack.h"
#include "cuda/operators/operators.h"
#include "state.h"

namespace dlperf::worker::cuda::emulation {

// Tensors in the emulated device's memory as numbers to compute with.

template <typename T>
float numberOf(T x) {
    return toFloat(x);
}
// Looked up, as what CUDA's header does on the host takes many steps.
template <>
inline float numberOf(__half x) {
    static const std::vector<float> all = [] {
        std::vector<float> values;
        values.reserve(65536);
        for (unsigned bits = 0; bits < 65536; ++bits) {
            values.push_back(toFloat(__half(__half_raw{static_cast<unsigned short>(bits)})));
        }
        return values;
    }();
    return all[__half_raw(x).x];
}

// Where a tensor is; ends the program where it is missing, or not aligned as cuDNN wants it.
template <typename T>
T* placeOf(T* tensor) {
    if (tensor == nullptr || reinterpret_cast<std::uintptr_t>(tensor) % 16 != 0) {
        giveUp("a pass lacks a tensor, or has one that is not aligned");
    }
    return tensor;
}

// A convolution's numbers, in operators.h's layouts. What a function sets must be zero before.
void forwardLoops(const dnn::ConvolutionShape& shape, const float* input, const float* filter, float* output);
void dataGradientLoops(const dnn::ConvolutionShape& shape, float* input, const float* filter,
                       const float* output);
void weightGradientLoops(const dnn::ConvolutionShape& shape, const float* input, float* filter,
                         const float* output);

template <typename T>
std::vector<float> load(const void* tensor, const dnn::Dimensions& dimensions) {
    const T* const from = static_cast<const T*>(placeOf(tensor));
    std::vector<float> values(dnn::elementsOf(dimensions));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = numberOf(from[i]);
    }
    return values;
}

template <typename T>
void store(const std::vector<float>& values, void* tensor) {
    T* const to = static_cast<T*>(placeOf(tensor));
    for (std::size_t i = 0; i < values.size(); ++i) {
        fromFloat(values[i], to[i]);
    }
}

}  // namespace dlperf::worker::cuda::emulation
