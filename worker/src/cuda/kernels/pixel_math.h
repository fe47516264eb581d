// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cuda/kernels/portable.h"

namespace dlperf::worker::cuda {

// (value / 255 - mean) / deviation with ImageNet's constants of a colour.
DLPERF_BOTH inline float normalizedPixel(float value, int colour) {
    constexpr float scale[3] = {1 / (255 * 0.229F), 1 / (255 * 0.224F), 1 / (255 * 0.225F)};
    constexpr float shift[3] = {-0.485F / 0.229F, -0.456F / 0.224F, -0.406F / 0.225F};
    return fmaf(value, scale[colour], shift[colour]);
}

// Pixels of a row that a thread treats together: 12 bytes, three words.
constexpr int pixelGroup = 4;

// The group of the source that the `group`-th of `groups` is made of; its pixels are then in reverse as
// well.
DLPERF_BOTH inline unsigned sourceGroup(unsigned group, unsigned groups, bool flipped) {
    return flipped ? groups - 1 - group : group;
}
DLPERF_BOTH inline int sourcePixel(int pixel, bool flipped) {
    return flipped ? pixelGroup - 1 - pixel : pixel;
}

}  // namespace dlperf::worker::cuda
