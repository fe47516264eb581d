// SPDX-License-Identifier: Apache-2.0
#include "data/augment.h"

#include <algorithm>
#include <cmath>

namespace dlperf::worker {
namespace {

// The two pixels that one output pixel lies between, and the share of the second.
struct Tap {
    int first;
    int second;
    float share;
};

std::vector<Tap> tapsFor(double start, double length, int size, int limit) {
    std::vector<Tap> taps(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        const double at = start + (i + 0.5) * length / size - 0.5;
        const double below = std::floor(at);
        const int first = static_cast<int>(below);
        taps[static_cast<std::size_t>(i)] = {std::clamp(first, 0, limit - 1),
                                             std::clamp(first + 1, 0, limit - 1),
                                             static_cast<float>(at - below)};
    }
    return taps;
}

}  // namespace

Crop randomCrop(int width, int height, Random& random) {
    const double area = static_cast<double>(width) * height;
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double wanted = area * random.between(0.08, 1);
        const double ratio = std::exp(random.between(std::log(3.0 / 4), std::log(4.0 / 3)));
        const double w = std::round(std::sqrt(wanted * ratio));
        const double h = std::round(std::sqrt(wanted / ratio));
        if (w < 1 || h < 1 || w > width || h > height) {
            continue;
        }
        const double left = static_cast<double>(random.below(static_cast<std::uint64_t>(width - w) + 1));
        const double top = static_cast<double>(random.below(static_cast<std::uint64_t>(height - h) + 1));
        return {left, top, w, h};
    }
    const double w = std::min<double>(width, std::max(1.0, std::round(height * 4.0 / 3)));
    const double h = std::min<double>(height, std::max(1.0, std::round(width * 4.0 / 3)));
    return {std::floor((width - w) / 2), std::floor((height - h) / 2), w, h};
}

void resizeCrop(const CroppedImage& image, int size, bool flip, std::span<std::uint8_t> result) {
    const std::vector<Tap> columns = tapsFor(image.crop.left, image.crop.width, size, image.width);
    const std::vector<Tap> rows = tapsFor(image.crop.top, image.crop.height, size, image.height);
    const auto stride = static_cast<std::size_t>(image.width) * 3;
    std::uint8_t* out = result.data();
    for (const Tap& row : rows) {
        const std::uint8_t* upper = image.pixels.data() + static_cast<std::size_t>(row.first) * stride;
        const std::uint8_t* lower = image.pixels.data() + static_cast<std::size_t>(row.second) * stride;
        for (std::size_t i = 0; i < columns.size(); ++i, out += 3) {
            const Tap& column = flip ? columns[columns.size() - 1 - i] : columns[i];
            for (int c = 0; c < 3; ++c) {
                const int a = 3 * column.first + c;
                const int b = 3 * column.second + c;
                const float above = upper[a] + column.share * static_cast<float>(upper[b] - upper[a]);
                const float below = lower[a] + column.share * static_cast<float>(lower[b] - lower[a]);
                out[c] = static_cast<std::uint8_t>(std::lrint(above + row.share * (below - above)));
            }
        }
    }
}

}  // namespace dlperf::worker
