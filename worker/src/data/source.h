// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/options.h"
#include "base/world.h"

namespace dlperf::worker {

// Images of one device and iteration, decoded and not normalised.
struct Batch {
    std::span<const std::uint8_t> pixels;  // image, row, column, RGB
    std::span<const std::int32_t> labels;
    // Batches with the same number are equal: a backend need not copy them again.
    std::optional<std::uint64_t> number = {};
    // Not 0: the backend must mirror the image; only for one that mirrors(). Empty: none.
    std::span<const std::uint8_t> flips = {};
};

// Gives a rank its share of every global batch, in an order that depends on the seed alone.
class DataSource {
public:
    virtual ~DataSource() = default;
    // Valid until the next call. Waits until it is ready.
    virtual Batch next() = 0;
    virtual std::uint64_t epochSize() const = 0;
    // That prepare its images; 0: none has to.
    virtual std::size_t threads() const { return 0; }
};

// `backendMirrors`: images are given as they are, with Batch::flips. Throws Failure(Data) where the folder
// cannot be used.
std::unique_ptr<DataSource> makeDataSource(const Options& options, const World& world, bool backendMirrors);

}  // namespace dlperf::worker
