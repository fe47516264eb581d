// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "queue.h"

namespace dlperf::worker::cuda::emulation {

// What one stream does in a graph: work, or, where there is none, a wait for the first `count` steps of
// another branch.
struct GraphStep {
    Operation work;
    std::size_t branch = 0;
    std::size_t count = 0;
};

// A branch for each stream that was captured; the first is the one that launches stand for.
struct Graph {
    std::vector<std::vector<GraphStep>> branches;
    std::vector<int> priorities;  // of the branches' streams

    // Whether all work of all branches is done when the first one's is.
    bool joined() const;
    // Branches are run as the schedule of queues is: each as late or as early as its waits allow.
    void run(Schedule schedule) const;
};

// A graph under construction. Streams that take part point to it.
struct Capture {
    std::thread::id thread = std::this_thread::get_id();
    bool invalid = false;
    bool ended = false;
    Graph graph;
    std::vector<cudaStream_t> streams;  // by branch
};

// A moment in a captured stream.
struct CapturedMoment {
    std::shared_ptr<Capture> capture;
    std::size_t branch = 0;
    std::size_t count = 0;
};

// Of a stream that takes part.
cudaError_t captureWork(cudaStream_t stream, Operation work);
CapturedMoment capturedNow(cudaStream_t stream);

// Also of a stream that does not take part yet.
cudaError_t captureWait(cudaStream_t stream, const CapturedMoment& moment);

// The stream is to be destroyed: what it takes part in ends for all.
void abandonCapture(cudaStream_t stream);

// For what could wait for a captured stream: an error, and the end of this thread's captures, while there are
// any.
cudaError_t checkNoCapture();

// Executable or not.
std::size_t liveGraphs();

}  // namespace dlperf::worker::cuda::emulation

// CUDA's headers leave open what these are.
struct CUgraph_st {
    std::shared_ptr<const dlperf::worker::cuda::emulation::Graph> graph;
};
struct CUgraphExec_st {
    std::shared_ptr<const dlperf::worker::cuda::emulation::Graph> graph;
};
