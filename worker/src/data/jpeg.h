// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/augment.h"

namespace dlperf::worker {

// One JPEG file, decoded as little as a crop needs. Throws Failure(Data) naming the file where it is broken.
class JpegFile {
public:
    explicit JpegFile(std::string path);
    ~JpegFile();
    JpegFile(const JpegFile&) = delete;
    JpegFile& operator=(const JpegFile&) = delete;

    int width() const;
    int height() const;

    // The crop's pixels at the smallest of libjpeg's scales (eighths) at which they are still at least
    // `size` wide and high, or at full size. Grey and CMYK images become RGB. May be called once.
    CroppedImage decode(const Crop& crop, int size);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace dlperf::worker
