// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/options.h"
#include "base/world.h"
#include "data/crop.h"

namespace dlperf::worker {

// An image of a batch that the backend is to decode.
struct EncodedImage {
    std::span<const std::uint8_t> file;  // a whole JPEG file; empty: the image's pixels are in the batch
    int width = 0;
    int height = 0;
    Crop crop;  // what is to be scaled to the image's size
};

// Images of one device and iteration, not normalised; decoded, but for a backend that does so.
struct Batch {
    std::span<const std::uint8_t> pixels;  // image, row, column, RGB
    std::span<const std::int32_t> labels;
    // Batches with the same number are equal: a backend need not copy them again.
    std::optional<std::uint64_t> number = {};
    // Not 0: the backend must mirror the image; only for one that mirrors(). Empty: none.
    std::span<const std::uint8_t> flips = {};
    // One for each image; only for a backend that decodes. Empty: all are in `pixels`.
    std::span<const EncodedImage> encoded = {};
    // Sets an encoded image's pixels on the host, for a backend that fails to. Throws Failure(Data) naming
    // its file where it is broken.
    std::function<void(std::size_t image, std::span<std::uint8_t> pixels)> decodeHere = {};
};

// What tells two folders of images apart.
struct ImageList {
    std::uint64_t count = 0;  // 0: no folder is read
    std::uint64_t names = 0;  // a hash of them, with their classes
};

// Gives a rank its share of every global batch, in an order that depends on the seed alone.
class DataSource {
public:
    virtual ~DataSource() = default;
    // Valid until the next call. Waits until it is ready.
    virtual Batch next() = 0;
    virtual std::uint64_t epochSize() const = 0;
    virtual ImageList images() const { return {}; }
    // That prepare its images; 0: none has to.
    virtual std::size_t threads() const { return 0; }
};

// What a backend does with images, so that a source need not.
struct ImageWork {
    bool mirrors = false;  // they are given as they are, with Batch::flips
    bool decodes = false;  // with Batch::encoded; it mirrors as well then
};

// Throws Failure(Data) where the folder cannot be used.
std::unique_ptr<DataSource> makeDataSource(const Options& options, const World& world, ImageWork ofBackend);

}  // namespace dlperf::worker
