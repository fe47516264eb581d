// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/crop.h"

namespace dlperf::worker {

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

// One JPEG file, decoded as little as a crop needs. Throws Failure(Data) naming the file where it is broken.
class JpegFile {
public:
    explicit JpegFile(std::string path);
    ~JpegFile();

    int width() const;
    int height() const;
    // What a GPU's decoder takes: a baseline image of 8 bits, grey or YCbCr with usual sampling, in one scan,
    // the file with an end. Others, and those that lack a piece, are for decode().
    bool isPlain() const;

    // The crop's pixels at the smallest of libjpeg's scales (eighths) at which they are still at least `size`
    // wide and high, or at full size. Grey and CMYK images become RGB. May be called once.
    CroppedImage decode(const Crop& crop, int size);
    // The whole file, in place of decode().
    std::vector<std::uint8_t> takeFile();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace dlperf::worker
