// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <cstddef>

namespace dlperf::worker::cuda::dnn {

// How a convolution's tensors are kept and multiplied; sums are always of fp32. Fp32 and Tf32 are kept
// alike: they differ in the engines that are allowed.
enum class ElementType { Fp32, Tf32, Fp16, Bf16 };

constexpr cudnnDataType_t dataTypeOf(ElementType type) {
    if (type == ElementType::Fp16) {
        return CUDNN_DATA_HALF;
    }
    return type == ElementType::Bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

// Of the types that our graphs have.
constexpr std::size_t bytesOf(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

// In lower case, as it is part of a graph's key.
constexpr const char* nameOf(ElementType type) {
    switch (type) {
        case ElementType::Fp32:
            return "fp32";
        case ElementType::Tf32:
            return "tf32";
        case ElementType::Fp16:
            return "fp16";
        case ElementType::Bf16:
            return "bf16";
    }
    return "";
}

}  // namespace dlperf::worker::cuda::dnn
