// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dlperf::worker::test {

// A JPEG file of `width` x `height` pixels with `components` 1 (grey), 3 (RGB) or 4 (CMYK as Adobe stores
// it).
void writeJpeg(const std::string& path, int width, int height, int components,
               const std::vector<std::uint8_t>& pixels, bool progressive = false);

// `classes` folders of `count` images; a class is a colour, an image a pattern of it.
void writeColourClasses(const std::string& folder, int classes, int count);

}  // namespace dlperf::worker::test
