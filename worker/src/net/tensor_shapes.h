// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace dlperf::worker {

// A tensor in NHWC seen as a matrix: rows = batch * height * width, one row the channels of a pixel, which
// are a multiple of 8.
struct Rows {
    std::size_t rows;
    std::size_t channels;
};

// y = scale * x + shift, a channel: batch normalisation with its statistics folded in.
struct Affine {
    const float* scale;
    const float* shift;
};

// dx = gain * dz + slope * x + offset, a channel: the backward pass of batch normalisation with its sums
// folded in.
struct NormGradient {
    const float* gain;
    const float* slope;
    const float* offset;
};

// Square images in NHWC.
struct Pooling {
    std::size_t batch;
    std::size_t inSize;   // pixels a side
    std::size_t outSize;  // (inSize + 1) / 2 for windows of 3 x 3, 1 for the mean
    std::size_t channels;
};

}  // namespace dlperf::worker
