// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "cuda/runtime/device_comm.h"

namespace dlperf::worker::cuda {

template <typename T>
constexpr NumberType numberType = std::is_same_v<T, float>    ? NumberType::Float
                                  : std::is_same_v<T, __half> ? NumberType::Half
                                                              : NumberType::Bfloat16;

}  // namespace dlperf::worker::cuda
