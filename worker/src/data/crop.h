// SPDX-License-Identifier: Apache-2.0
#pragma once

// A crop of an image and how it is scaled, by linear interpolation: on the host and on a GPU alike.

#include <cmath>
#include <cstdint>

#include "base/portable.h"

namespace dlperf::worker {

// A rectangle of an image, in pixels.
struct Crop {
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
};

// The two pixels that one output pixel lies between along one axis, and the share of the second.
struct Tap {
    int first;
    int second;
    float share;
};

// `index` where it is a pixel of `limit`, else the nearest.
DLPERF_BOTH inline int nearestPixel(int index, int limit) {
    return index < 0 ? 0 : index < limit ? index : limit - 1;
}

// For output pixel `index` of `size`, which together show `length` of an image's `limit` pixels from `start`
// on.
DLPERF_BOTH inline Tap tapAt(double start, double length, int size, int limit, int index) {
    const double at = start + (index + 0.5) * length / size - 0.5;
    const double below = floor(at);
    const int first = static_cast<int>(below);
    return {nearestPixel(first, limit), nearestPixel(first + 1, limit), static_cast<float>(at - below)};
}

// One colour of an output pixel, of two lines of RGB.
DLPERF_BOTH inline std::uint8_t interpolated(const std::uint8_t* upper, const std::uint8_t* lower,
                                             float lowerShare, const Tap& column, int colour) {
    const int a = 3 * column.first + colour;
    const int b = 3 * column.second + colour;
    const float above = upper[a] + column.share * static_cast<float>(upper[b] - upper[a]);
    const float below = lower[a] + column.share * static_cast<float>(lower[b] - lower[a]);
    return static_cast<std::uint8_t>(lrintf(above + lowerShare * (below - above)));
}

}  // namespace dlperf::worker
