// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace dlperf::worker {

// A rectangle of an image, in pixels.
struct Crop {
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
};

// Pixels around a crop, RGB; the crop is relative to them.
struct CroppedImage {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
    Crop crop;
};

// The usual random resized crop: 8 to 100 % of the area, 3:4 to 4:3, ten tries, then the largest in the
// middle.
Crop randomCrop(int width, int height, Random& random);

// The crop scaled to `size` x `size` by linear interpolation into `result` (RGB), mirrored where `flip` is
// true.
void resizeCrop(const CroppedImage& image, int size, bool flip, std::span<std::uint8_t> result);

}  // namespace dlperf::worker
