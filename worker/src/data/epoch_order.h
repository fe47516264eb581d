// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace dlperf::worker {

// The endless sequence of images that training sees: every epoch all of them, in an order that depends on
// the seed and the epoch alone. May be asked from several threads.
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

}  // namespace dlperf::worker
