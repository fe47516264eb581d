// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "comm/comm.h"

namespace dlperf::worker {

// Gradients reduced in one go: elements [first, last).
struct Bucket {
    std::size_t first;
    std::size_t last;
};

// Cuts `total` gradients into buckets from the end to the beginning, in the order in which the backward pass
// finishes them, between the tensors that begin at `offsets`. The first is small, so that communication
// starts early; the others are at least `bucketElements`.
std::vector<Bucket> makeBuckets(std::span<const std::size_t> offsets, std::size_t total,
                                std::size_t firstElements, std::size_t bucketElements);

// What --bucket-mb gives, in elements; the first bucket has at most 1 MiB.
struct BucketElements {
    std::size_t first;
    std::size_t others;
};
BucketElements bucketElements(double bucketMb, std::size_t elementBytes);

// Reduces gradients while the backward pass still computes earlier layers': a thread sends each bucket as
// soon as it is final.
class GradientReducer {
public:
    // The others outlive this. In a world of one nothing happens.
    GradientReducer(Comm& comm, std::span<float> gradients, std::vector<Bucket> buckets);

    // The gradients from `first` to the end are final. Throws what the communication threw, if it did.
    void ready(std::size_t first);

    // Waits until all are reduced; returns the seconds it waited. Throws what the communication threw.
    double finish();

private:
    void work(const std::stop_token& stop);
    void throwIfFailed() const;

    Comm& comm_;
    std::span<float> gradients_;
    std::vector<Bucket> buckets_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::size_t released_ = 0;  // buckets that may be sent
    std::size_t reduced_ = 0;   // buckets that have been
    std::exception_ptr failure_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace dlperf::worker
