// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>

#include "cuda/runtime/check.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// Work of a stream, and of the streams that join it, recorded once and started any number of times.
class CapturedGraph {
public:
    // `enqueue` starts the work as if it was to be done; nothing in it may wait for the device.
    template <typename Enqueue>
    CapturedGraph(cudaStream_t stream, Enqueue enqueue) {
        // The watchdog's thread asks about communication meanwhile, which is none of the graph's business.
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record a step");
        cudaGraph_t recorded = nullptr;
        try {
            enqueue();
        } catch (...) {
            // A stream that goes on recording would refuse even to give back memory. That the recording
            // failed is the last error then, of which the next launch is not to hear.
            cudaStreamEndCapture(stream, &recorded);
            cudaGetLastError();
            if (recorded != nullptr) {
                cudaGraphDestroy(recorded);
            }
            throw;
        }
        check(cudaStreamEndCapture(stream, &recorded), "record a step");
        const std::unique_ptr<CUgraph_st, DestroyGraph> graph(recorded);
        cudaGraphExec_t executable = nullptr;
        // Else all of it would be started at the priority of the stream that it is launched into.
        check(cudaGraphInstantiate(&executable, graph.get(), cudaGraphInstantiateFlagUseNodePriority),
              "prepare a step");
        executable_.reset(executable);
    }

    void launch(cudaStream_t stream) const {
        check(cudaGraphLaunch(executable_.get(), stream), "start a step");
    }

private:
    struct DestroyGraph {
        void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
    };
    struct DestroyExecutable {
        void operator()(cudaGraphExec_t executable) const { cudaGraphExecDestroy(executable); }
    };
    std::unique_ptr<CUgraphExec_st, DestroyExecutable> executable_;
};

// How many sets of tensors, of `bytes` each, are to be used in turn so that the GPU's L2 cache has seen as
// much as it holds of the others when the first one's turn comes again: what is timed then finds its tensors
// where a step's are, in memory. Fewer, but one, where they would take more than a quarter of the memory that
// is free.
inline std::size_t setsBeyondCache(std::size_t bytes) {
    int device = 0;
    int cache = 0;
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaGetDevice(&device), "tell the GPU in use");
    check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device), "tell the size of its cache");
    check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    constexpr std::size_t most = 16;  // of small tensors: what they cost is to start them
    const std::size_t one = std::max<std::size_t>(bytes, 1);
    const std::size_t wanted = 1 + (static_cast<std::size_t>(cache) + one - 1) / one;
    return std::max<std::size_t>(1, std::min({wanted, most, free / 4 / one}));
}

// Times work of a stream on the device.
class Stopwatch {
public:
    // The stream outlives this.
    explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}

    // Seconds of what `start` starts, which it does several times; all of it can be captured. What takes
    // longer than `hopeless` at once is not started again: then that is the result. Where start() uses
    // several `sets` of tensors in turn, every one is used as often as the others. Throws Failure.
    double seconds(const std::function<void()>& start,
                   double hopeless = std::numeric_limits<double>::infinity(), std::size_t sets = 1) const {
        // Loads the kernels, which a graph that is recorded must not do.
        start();
        if (const double once = timed(start); once > hopeless) {
            return once;
        }
        // As a step will have them, where starting them is no part of the time.
        const std::size_t turns = (fewestTurns + sets - 1) / sets * sets;
        const CapturedGraph graph(stream_, [&] {
            for (std::size_t turn = 0; turn < turns; ++turn) {
                start();
            }
        });
        // The first launch of a graph takes longer, and keeps the device busy until the second is there.
        graph.launch(stream_);
        return timed([&] { graph.launch(stream_); }) / static_cast<double>(turns);
    }

private:
    template <typename Start>
    double timed(const Start& start) const {
        begin_.record(stream_);
        start();
        end_.record(stream_);
        end_.wait();
        return secondsBetween(begin_, end_);
    }

    static constexpr std::size_t fewestTurns = 4;

    cudaStream_t stream_;
    Event begin_;
    Event end_;
};

}  // namespace dlperf::worker::cuda
