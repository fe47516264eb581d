// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "cuda/memory.h"

namespace dlperf::worker::cuda {

/// Times work of a stream on the device.
class Stopwatch {
public:
    /// The stream outlives this.
    explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}

    /// Seconds of what `start` starts, which it does several times.
    double seconds(const std::function<void()>& start) const {
        // Loads the kernels, and keeps the device busy while the next ones are handed to it.
        start();
        begin_.record(stream_);
        for (int turn = 0; turn < kTurns; ++turn)
            start();
        end_.record(stream_);
        end_.wait();
        return secondsBetween(begin_, end_) / kTurns;
    }

private:
    static constexpr int kTurns = 4;

    cudaStream_t stream_;
    Event begin_;
    Event end_;
};

}  // namespace dlperf::worker::cuda
