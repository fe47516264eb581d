// SPDX-License-Identifier: Apache-2.0
#include "cuda/decode/jpeg_decoder.h"

#include <cstring>
#include <utility>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/kernels/kernels.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t alignment = 256;

std::size_t lineBytes(const EncodedImage& image) {
    return asIndex(image.width) * 3;
}

std::size_t decodedBytes(const EncodedImage& image) {
    return lineBytes(image) * asIndex(image.height);
}

// At least so many bytes, and some more, so that it seldom grows; what was in it is lost.
template <typename Memory>
void grow(Memory& memory, std::size_t bytes) {
    if (memory.bytes() < bytes) {
        memory = Memory();
        memory = Memory(bytes + bytes / 4);
    }
}

}  // namespace

JpegDecoder::JpegDecoder(int size) : size_(size), imageBytes_(asIndex(size) * asIndex(size) * 3) {}

void JpegDecoder::decode(const Batch& batch, const Place& place, const Stream& stream) {
    done_.wait();
    const std::optional<std::string> failure = start(batch, stream);
    if (failure) {
        // What was begun would still write.
        stream.wait();
        if (!std::exchange(noted_, true)) {
            note_ = "the GPU could not decode a batch (" + *failure +
                    "), so the host did, as it does from now on where that persists";
        }
    }
    for (std::size_t i = 0; i < images_; ++i) {
        const bool encoded = !batch.encoded[i].file.empty();
        if (encoded && !failure) {
            continue;
        }
        std::uint8_t* const pixels = place.pinned + i * imageBytes_;
        if (encoded) {
            batch.decodeHere(i, {pixels, imageBytes_});
        } else {
            std::memcpy(pixels, batch.pixels.data() + i * imageBytes_, imageBytes_);
        }
        check(cudaMemcpyAsync(place.device + i * imageBytes_, pixels, imageBytes_, cudaMemcpyHostToDevice,
                              stream),
              "copy images to the GPU");
    }
    if (!failure && !jobs_.files.empty()) {
        crop(place, stream);
    }
    done_.record(stream);
}

std::string JpegDecoder::takeNote() {
    return std::exchange(note_, {});
}

// How it fails, if it does.
std::optional<std::string> JpegDecoder::start(const Batch& batch, const Stream& stream) {
    if (std::optional<std::string> lacks = makeRoom(batch)) {
        return lacks;
    }
    jobs_ = {};
    jobs_.files.reserve(images_);
    jobs_.lengths.reserve(images_);
    jobs_.images.reserve(images_);
    auto* const crops = crops_.at<DecodedImage>(0);
    std::size_t fileAt = 0;
    std::size_t imageAt = 0;
    for (std::size_t i = 0; i < images_; ++i) {
        const EncodedImage& image = batch.encoded[i];
        crops[i] = {nullptr, 0, 0, {}};
        if (image.file.empty()) {
            continue;
        }
        auto* const file = files_.at<unsigned char>(fileAt);
        std::memcpy(file, image.file.data(), image.file.size());
        auto* const pixels = decoded_.at<unsigned char>(imageAt);
        jobs_.files.push_back(file);
        jobs_.lengths.push_back(image.file.size());
        jobs_.images.push_back({{pixels}, {lineBytes(image)}});
        crops[i] = {pixels, image.width, image.height, image.crop};
        fileAt += roundedUp(image.file.size(), alignment);
        imageAt += roundedUp(decodedBytes(image), alignment);
    }
    return jobs_.files.empty() ? std::nullopt : nvjpeg_.decode(jobs_, stream);
}

// What is lacking, if it is memory for the images.
std::optional<std::string> JpegDecoder::makeRoom(const Batch& batch) {
    images_ = batch.encoded.size();
    std::size_t files = 0;
    std::size_t decoded = 0;
    for (const EncodedImage& image : batch.encoded) {
        files += roundedUp(image.file.size(), alignment);
        decoded += roundedUp(decodedBytes(image), alignment);
    }
    grow(files_, files);
    grow(crops_, images_ * sizeof(DecodedImage));
    grow(deviceCrops_, images_ * sizeof(DecodedImage));
    try {
        grow(decoded_, decoded);
    } catch (const Failure& failure) {
        if (failure.code() != ExitCode::Memory) {
            throw;
        }
        return "too little memory for " + std::to_string(decoded >> 20) + " MiB of whole images";
    }
    return std::nullopt;
}

void JpegDecoder::crop(const Place& place, const Stream& stream) {
    check(cudaMemcpyAsync(deviceCrops_.at<void>(0), crops_.at<void>(0), images_ * sizeof(DecodedImage),
                          cudaMemcpyHostToDevice, stream),
          "copy crops to the GPU");
    resizeCrops(stream, images_, size_, deviceCrops_.at<DecodedImage>(0), place.device);
}

}  // namespace dlperf::worker::cuda
