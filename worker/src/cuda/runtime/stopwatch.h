// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "cuda/runtime/graph.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// Times work of a stream on the device.
class Stopwatch {
public:
    // The stream outlives this.
    explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}

    // Seconds of what `start` starts, which it does several times; all of it can be captured. Throws
    // Failure.
    double seconds(const std::function<void()>& start) const {
        // Loads the kernels, which a graph that is recorded must not do.
        start();
        // As a step will have them, where starting them is no part of the time.
        const CapturedGraph graph(stream_, [&] {
            for (int turn = 0; turn < turns; ++turn) {
                start();
            }
        });
        // The first launch of a graph takes longer, and keeps the device busy until the second is there.
        graph.launch(stream_);
        begin_.record(stream_);
        graph.launch(stream_);
        end_.record(stream_);
        end_.wait();
        return secondsBetween(begin_, end_) / turns;
    }

private:
    static constexpr int turns = 4;

    cudaStream_t stream_;
    Event begin_;
    Event end_;
};

}  // namespace dlperf::worker::cuda
