// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

// Pooling with windows of 3 x 3, stride 2, padding 1. Positions in a window are counted 0 to 8 in rows.
constexpr int windowSize = 3;

// The pixel, along one axis, of position k (0 to 2) of the window of output pixel `out`; one outside the
// image is not below its size.
DLPERF_BOTH inline std::size_t windowPixel(std::size_t out, int k) {
    return 2 * out + static_cast<std::size_t>(k) - 1;  // wraps around below zero
}

// Whether `value` takes the place of the best so far. What is not a number wins and stays, so that it is
// seen.
DLPERF_BOTH inline bool beats(float value, float best) {
    return value > best || value != value;
}

// The gradient is gathered for patches of 2 x 2 input pixels: along one axis, pixels 2 p and 2 p + 1 lie
// in the windows of the output pixels p and p + 1 and of no others. The position of pixel `side` (0 or 1)
// of the patch in the window p + `next` (0 or 1); negative: it is not in it.
DLPERF_BOTH inline int patchPosition(int side, int next) {
    return side == 1 ? 2 - 2 * next : 1 - 2 * next;
}

}  // namespace dlperf::worker::cuda
