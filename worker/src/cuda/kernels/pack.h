// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "cuda/kernels/math.h"

namespace dlperf::worker::cuda {

// A pack as it lies in memory: read and written 16 bytes at a time.
template <typename T>
struct Pack {
    static constexpr int wordCount = static_cast<int>(packSize * sizeof(T) / sizeof(uint4));
    uint4 words[wordCount];
};

template <typename T>
DLPERF_DEVICE inline Pack<T> loadPack(const T* from) {
    Pack<T> pack;
    DLPERF_UNROLL
    for (int i = 0; i < Pack<T>::wordCount; ++i) {
        pack.words[i] = reinterpret_cast<const uint4*>(from)[i];
    }
    return pack;
}

template <typename T>
DLPERF_DEVICE inline void storePack(T* to, const Pack<T>& pack) {
    DLPERF_UNROLL
    for (int i = 0; i < Pack<T>::wordCount; ++i) {
        reinterpret_cast<uint4*>(to)[i] = pack.words[i];
    }
}

DLPERF_DEVICE inline float toFloat(float x) {
    return x;
}
DLPERF_DEVICE inline float toFloat(__half x) {
    return __half2float(x);
}
DLPERF_DEVICE inline float toFloat(__nv_bfloat16 x) {
    return __bfloat162float(x);
}

// Rounded to the nearest, ties to even.
DLPERF_DEVICE inline void fromFloat(float x, float& to) {
    to = x;
}
DLPERF_DEVICE inline void fromFloat(float x, __half& to) {
    to = __float2half_rn(x);
}
DLPERF_DEVICE inline void fromFloat(float x, __nv_bfloat16& to) {
    to = __float2bfloat16_rn(x);
}

// Two at once, which the device does in one instruction.
DLPERF_DEVICE inline void fromFloats(float first, float second, float* to) {
    to[0] = first;
    to[1] = second;
}
DLPERF_DEVICE inline void fromFloats(float first, float second, __half* to) {
    const __half2 both = __floats2half2_rn(first, second);
    to[0] = both.x;
    to[1] = both.y;
}
DLPERF_DEVICE inline void fromFloats(float first, float second, __nv_bfloat16* to) {
    const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
    to[0] = both.x;
    to[1] = both.y;
}

template <typename T>
DLPERF_DEVICE inline Floats unpack(const Pack<T>& pack) {
    T stored[packSize];
    std::memcpy(stored, pack.words, sizeof stored);
    Floats result;
    DLPERF_UNROLL
    for (int k = 0; k < packSize; ++k) {
        result[k] = toFloat(stored[k]);
    }
    return result;
}

template <typename T>
DLPERF_DEVICE inline Pack<T> toPack(const Floats& values) {
    T stored[packSize];
    DLPERF_UNROLL
    for (int k = 0; k < packSize; k += 2) {
        fromFloats(values[k], values[k + 1], stored + k);
    }
    Pack<T> pack;
    std::memcpy(pack.words, stored, sizeof stored);
    return pack;
}

template <typename T>
DLPERF_DEVICE inline Floats loadFloats(const T* from) {
    return unpack(loadPack(from));
}

template <typename T>
DLPERF_DEVICE inline void storeFloats(T* to, const Floats& values) {
    storePack(to, toPack<T>(values));
}

}  // namespace dlperf::worker::cuda
