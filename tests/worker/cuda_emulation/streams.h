// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>

#include "capture.h"
#include "queue.h"

namespace dlperf::worker::cuda::emulation {

// An event's latest moment outside captures: the first `count` operations of the queue. What waits for it
// keeps it, also when the event is recorded again.
struct Record {
    std::shared_ptr<Queue> queue;  // null: in the past
    std::uint64_t count = 0;
    std::chrono::steady_clock::time_point time;

    bool reached() const { return queue == nullptr || queue->done >= count; }
};

const std::set<cudaStream_t>& liveStreams();
std::size_t liveEvents();

// Neither null nor destroyed.
bool isLive(cudaStream_t stream);

// Puts work into a stream or a capture; the null stream's is done at once, as tests of kernels alone have it.
cudaError_t submit(Lock& lock, cudaStream_t stream, Operation work);

}  // namespace dlperf::worker::cuda::emulation

// CUDA's headers leave open what these are.
struct CUstream_st {
    int device = 0;
    std::shared_ptr<dlperf::worker::cuda::emulation::Queue> queue;
    std::shared_ptr<dlperf::worker::cuda::emulation::Capture> capture;  // null: none under way
    std::size_t branch = 0;                                             // in the capture's graph
    int priority = 0;
};
struct CUevent_st {
    int device = 0;
    std::shared_ptr<dlperf::worker::cuda::emulation::Record> record;          // null: never
    std::optional<dlperf::worker::cuda::emulation::CapturedMoment> captured;  // instead of it
};
