// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace dlperf::worker {

// Images of one device and iteration, decoded and not normalised.
struct Batch {
    std::span<const std::uint8_t> pixels;  // image, row, column, RGB
    std::span<const std::int32_t> labels;
    // Batches with the same number are the same: a backend that has one need not take it again.
    std::optional<std::uint64_t> number = {};
    // Not 0: the image is to be mirrored yet, which only a backend that mirrors() is given. Empty: none is.
    std::span<const std::uint8_t> flips = {};
};

}  // namespace dlperf::worker
