// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "data/source.h"

namespace dlperf::worker {

struct LabelledFile {
    std::string path;
    std::int32_t label = 0;
};

// The .jpg and .jpeg files below `folder`, one sub-folder a class; classes and files in bytewise order, so
// that labels are the same everywhere. Throws Failure(Data) where there is no such folder, no image, or more
// classes than `classes`.
std::vector<LabelledFile> listImages(const std::string& folder, int classes);

// The endless sequence of images: every epoch all of them, in an order that depends on the seed and the epoch
// alone. Thread-safe.
class EpochOrder {
public:
    struct Entry {
        std::uint64_t epoch;
        std::uint32_t image;
    };

    EpochOrder(std::uint32_t images, std::uint64_t seed) : images_(images), seed_(seed) {}
    Entry at(std::uint64_t position);

private:
    struct Epoch {
        std::uint64_t number;
        std::vector<std::uint32_t> order;
    };
    static constexpr std::size_t keptEpochs = 4;  // a batch being prepared may reach into a later epoch

    std::uint32_t images_;
    std::uint64_t seed_;
    std::mutex mutex_;
    std::list<Epoch> epochs_;
};

// How many threads of a process may decode: its share of the processors that all of the node may use together
// (base/processors.h), or those that it is bound to where they are fewer, less those that compute; one at
// least.
int mostDecodingThreads(int processors, int bound, int localSize, int computing);

// JPEG images below options.data, decoded and augmented ahead of time by options.workers threads, or, for a
// backend that decodes, read and only those decoded that are not plain (JpegFile::isPlain()), or all once it
// has failed at a few batches in turn. Where the number is not given, one begins, and they are doubled each
// time that a batch has to be waited for, up to `most`, or else to what mostDecodingThreads() gives here.
// Image j of rank r in iteration k is number (k * world size + r) * batch size + j of the endless sequence;
// its augmentation depends on the seed, the epoch and the image alone, not on the threads.
std::unique_ptr<DataSource> makeImageFolderSource(const Options& options, const World& world,
                                                  ImageWork ofBackend = {}, std::optional<int> most = {});

}  // namespace dlperf::worker
