// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cuda/decode/nvjpeg.h"
#include "cuda/runtime/memory.h"
#include "data/source.h"

namespace dlperf::worker::cuda {

// Decodes batches on the GPU, one after the other. Images are decoded whole and their crops scaled at once,
// where the host's decoder makes large ones smaller on the way: pixels of large images differ a little.
class JpegDecoder {
public:
    // Of images of `size` x `size`. Throws Failure(Backend) where there is no nvJPEG.
    explicit JpegDecoder(int size);

    std::string name() const { return nvjpeg_.name(); }

    // Where a batch's pixels are to be, image, row, column, RGB.
    struct Place {
        std::uint8_t* device;
        std::uint8_t* pinned;  // as large: those that the host decodes come this way
    };

    // Begins to put a batch with encoded images in its place, which nobody may use until the stream has come
    // so far; the batch may be overwritten when this returns. Throws Failure.
    void decode(const Batch& batch, const Place& place, const Stream& stream);

    // Once, after the host has had to decode a batch: a sentence for the log; else empty.
    std::string takeNote();

private:
    std::optional<std::string> start(const Batch& batch, const Stream& stream);
    std::optional<std::string> makeRoom(const Batch& batch);
    void crop(const Place& place, const Stream& stream);

    int size_;
    std::size_t imageBytes_;
    Nvjpeg nvjpeg_;
    Nvjpeg::Jobs jobs_;
    std::size_t images_ = 0;    // of the batch
    PinnedMemory files_;        // what is decoded
    DeviceMemory decoded_;      // whole images
    PinnedMemory crops_;        // a DecodedImage each
    DeviceMemory deviceCrops_;  // the same there
    Event done_;                // with all of the above
    std::string note_;
    bool noted_ = false;
};

}  // namespace dlperf::worker::cuda
