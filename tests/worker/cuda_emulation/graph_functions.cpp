// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for captures and graphs.
#include <set>
#include <utility>

#include "capture.h"
#include "streams.h"

namespace dlperf::worker::cuda::emulation {
namespace {

// So that a graph that is used after its end is noticed.
template <typename T>
std::set<T*>& all() {
    static std::set<T*> graphs;
    return graphs;
}

template <typename T>
T* make(std::shared_ptr<const Graph> graph) {
    auto* const made = new T{std::move(graph)};
    all<T>().insert(made);
    return made;
}

template <typename T>
void checkLive(T* graph) {
    if (!all<T>().contains(graph)) {
        giveUp("a graph is used that was never made or is destroyed");
    }
}

template <typename T>
cudaError_t destroy(const char* function, T* graph) {
    return call(function, [&](Lock&) {
        checkLive(graph);
        all<T>().erase(graph);
        delete graph;
        return cudaSuccess;
    });
}

}  // namespace

std::size_t liveGraphs() {
    return all<CUgraph_st>().size() + all<CUgraphExec_st>().size();
}

}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return call(__func__, [&](Lock&) {
        return isLive(stream) ? beginCapture(stream, mode) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = nullptr;
    return call(__func__, [&](Lock&) {
        if (!isLive(stream)) {
            return cudaErrorInvalidResourceHandle;
        }
        std::shared_ptr<const Graph> captured;
        const cudaError_t result = endCapture(stream, captured);
        if (result == cudaSuccess) {
            *graph = make<CUgraph_st>(std::move(captured));
        }
        return result;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    return call(__func__, [&](Lock&) {
        checkLive(graph);
        *executable = make<CUgraphExec_st>(graph->graph);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return call(__func__, [&](Lock& lock) {
        checkLive(executable);
        return submit(lock, stream, [graph = executable->graph] {
            Lock again(mutex());
            const Schedule schedule = settings().schedule;
            again.unlock();
            graph->run(schedule);
        });
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return destroy(__func__, graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return destroy(__func__, executable);
}
