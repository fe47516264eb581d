// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "comm/bucketing.h"
#include "comm/comm.h"

namespace dlperf::worker {

// Reduces gradients while the backward pass still computes the earlier layers': a thread of its own sends
// each bucket as soon as all of it is final.
class GradientReducer {
public:
    // `gradients` and `comm` outlive this. In a world of one there is no thread and nothing happens.
    GradientReducer(Comm& comm, std::span<float> gradients, std::vector<Bucket> buckets);
    ~GradientReducer();
    GradientReducer(const GradientReducer&) = delete;
    GradientReducer& operator=(const GradientReducer&) = delete;

    // The gradients from `first` to the end are final. Throws what the communication threw, if it did.
    void ready(std::size_t first);

    // Waits until all are reduced, and makes ready for the next step. Returns the seconds it waited. Throws
    // what the communication threw.
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
