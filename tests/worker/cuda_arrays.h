// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays that kernels and the host share: the GPU's managed memory, or, where kernels run on the host, its
// own.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cuda/kernels/pack.h"
#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda::test {

#ifdef DLPERF_KERNELS_ON_GPU
inline void* allocateShared(std::size_t bytes) {
    void* data = nullptr;
    check(cudaMallocManaged(&data, bytes), "allocate a test's memory");
    return data;
}
struct Release {
    void operator()(void* data) const { cudaFree(data); }
};
inline void finish() {
    check(cudaDeviceSynchronize(), "finish a test's kernels");
}
#else
inline void* allocateShared(std::size_t bytes) {
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
}
struct Release {
    void operator()(void* data) const { std::free(data); }
};
inline void finish() {}
#endif

template <typename T>
double asDouble(T x) {
    return static_cast<double>(toFloat(x));
}
template <typename T>
void assign(T& to, double x) {
    fromFloat(static_cast<float>(x), to);
}

// The largest relative distance of a number from the nearest T.
template <typename T>
constexpr double roundingError = 6e-8;
template <>
constexpr double roundingError<__half> = 1.0 / 2048;
template <>
constexpr double roundingError<__nv_bfloat16> = 1.0 / 256;

template <typename T>
class Array {
public:
    explicit Array(std::size_t count)
        : count_(count), data_(static_cast<T*>(allocateShared(count * sizeof(T)))) {
        if (data_ == nullptr) {
            std::abort();
        }
    }
    // Of numbers, rounded.
    explicit Array(const std::vector<double>& values) : Array(values.size()) {
        for (std::size_t i = 0; i < count_; ++i) {
            assign(data_.get()[i], values[i]);
        }
    }
    T* data() const { return data_.get(); }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) const { return data_.get()[i]; }
    double value(std::size_t i) const { return asDouble(data_.get()[i]); }
    std::vector<double> values() const {
        std::vector<double> result(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            result[i] = value(i);
        }
        return result;
    }

private:
    std::size_t count_;
    std::unique_ptr<T, Release> data_;
};

// Always the same numbers between -1 and 1.
inline std::vector<double> numbers(std::size_t count, std::uint32_t seed, double factor = 1,
                                   double level = 0) {
    std::vector<double> result(count);
    std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
    for (double& value : result) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = level + factor * (static_cast<double>(state >> 11) / 4503599627370496.0 - 1);
    }
    return result;
}

}  // namespace dlperf::worker::cuda::test
