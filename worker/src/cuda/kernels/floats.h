// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

// Elements that one thread treats together: neighbouring channels, one byte of a mask. Their addresses are
// multiples of 16 bytes.
constexpr int packSize = 8;

// A pack in registers, as it is computed with.
struct Floats {
    float values[packSize];
    DLPERF_BOTH float& operator[](int k) { return values[k]; }
    DLPERF_BOTH float operator[](int k) const { return values[k]; }
};

}  // namespace dlperf::worker::cuda
