// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <vector>

#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::emulation {

// Tensors in the emulated device's memory as numbers to compute with.

inline float toFloat(float x) {
    return x;
}
// Looked up, as what CUDA's header does on the host takes many steps.
inline float toFloat(__half x) {
    static const std::vector<float> all = [] {
        std::vector<float> values;
        values.reserve(65536);
        for (unsigned bits = 0; bits < 65536; ++bits) {
            values.push_back(__half2float(__half(__half_raw{static_cast<unsigned short>(bits)})));
        }
        return values;
    }();
    return all[__half_raw(x).x];
}
inline float toFloat(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
inline void assign(float& to, float x) {
    to = x;
}
inline void assign(__half& to, float x) {
    to = __float2half_rn(x);
}
inline void assign(__nv_bfloat16& to, float x) {
    to = __float2bfloat16_rn(x);
}

// A convolution's numbers, in operators.h's layouts. What a function sets must be zero before.
void forwardLoops(const dnn::ConvolutionShape& shape, const float* input, const float* filter, float* output);
void dataGradientLoops(const dnn::ConvolutionShape& shape, float* input, const float* filter,
                       const float* output);
void weightGradientLoops(const dnn::ConvolutionShape& shape, const float* input, float* filter,
                         const float* output);

template <typename T>
std::vector<float> load(const void* tensor, const dnn::Dimensions& dimensions) {
    const T* const from = static_cast<const T*>(tensor);
    std::vector<float> values(dnn::elementsOf(dimensions));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = toFloat(from[i]);
    }
    return values;
}

template <typename T>
void store(const std::vector<float>& values, void* tensor) {
    T* const to = static_cast<T*>(tensor);
    for (std::size_t i = 0; i < values.size(); ++i) {
        assign(to[i], values[i]);
    }
}

}  // namespace dlperf::worker::cuda::emulation
