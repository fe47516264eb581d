// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/batch_slot.h"

#include <algorithm>

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t alignment = 256;

// Of the pixels, rounded up so that the labels behind them are aligned.
std::size_t pixelBytes(const Problem& problem) {
    const auto size = static_cast<std::size_t>(problem.imageSize);
    const std::size_t bytes = static_cast<std::size_t>(problem.batchSize) * size * size * 3;
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

BatchSlot::BatchSlot(const Problem& problem)
    : pixelBytes_(pixelBytes(problem)),
      labelBytes_(static_cast<std::size_t>(problem.batchSize) * sizeof(std::int32_t)),
      images_(static_cast<std::size_t>(problem.batchSize)),
      pinned_(pixelBytes_ + labelBytes_ + images_),
      device_(pinned_.bytes()) {}

void BatchSlot::upload(const Batch& batch, const Stream& copies, const Stream& user) {
    if (batch.number && number_ == batch.number) {
        return;
    }
    number_ = batch.number;
    std::memcpy(pinned_.at<void>(0), batch.pixels.data(), batch.pixels.size_bytes());
    std::memcpy(pinned_.at<void>(pixelBytes_), batch.labels.data(), batch.labels.size_bytes());
    auto* const flips = pinned_.at<std::uint8_t>(pixelBytes_ + labelBytes_);
    std::fill_n(flips, images_, std::uint8_t{0});
    std::copy(batch.flips.begin(), batch.flips.end(), flips);
    check(cudaMemcpyAsync(device_.at<void>(0), pinned_.at<void>(0), pinned_.bytes(), cudaMemcpyHostToDevice,
                          copies),
          "copy images to the GPU");
    copied_.record(copies);
    user.waitFor(copied_);
}

DeviceBatch BatchSlot::batch() const {
    return {device_.at<std::uint8_t>(0), device_.at<std::int32_t>(pixelBytes_),
            device_.at<std::uint8_t>(pixelBytes_ + labelBytes_)};
}

}  // namespace dlperf::worker::cuda
