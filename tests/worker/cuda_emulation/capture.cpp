// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for captures and graphs.
#include "capture.h"

#include <algorithm>
#include <set>
#include <utility>

#include "streams.h"

namespace dlperf::worker::cuda::emulation {
namespace {

// One run of a graph: how far its branches are.
class GraphRun {
public:
    explicit GraphRun(const Graph& graph) : graph_(graph), done_(graph.branches.size()) {}

    void advance(std::size_t branch, std::size_t count) {
        while (done_[branch] < count) {
            const GraphStep& step = graph_.branches[branch][done_[branch]];
            if (step.work) {
                step.work();
            } else {
                advance(step.branch, step.count);
            }
            ++done_[branch];
        }
    }

private:
    const Graph& graph_;
    std::vector<std::size_t> done_;
};

// Steps of a branch up to its last work: a wait that nothing follows need not be joined.
std::size_t stepsToJoin(const std::vector<GraphStep>& branch) {
    const auto last = std::find_if(branch.rbegin(), branch.rend(),
                                   [](const GraphStep& step) { return step.work != nullptr; });
    return static_cast<std::size_t>(branch.rend() - last);
}

void join(cudaStream_t stream, const std::shared_ptr<Capture>& capture) {
    stream->capture = capture;
    stream->branch = capture->graph.branches.size();
    capture->graph.branches.emplace_back();
    capture->graph.priorities.push_back(stream->priority);
    capture->streams.push_back(stream);
}

void release(Capture& capture) {
    capture.ended = true;
    for (const cudaStream_t stream : std::exchange(capture.streams, {})) {
        stream->capture.reset();
    }
}

cudaError_t invalidate(Capture& capture, cudaError_t error) {
    capture.invalid = true;
    return error;
}

// So that a graph that is used after its end is noticed.
template <typename T>
std::set<T*>& all() {
    static std::set<T*> graphs;
    return graphs;
}

}  // namespace

bool Graph::joined() const {
    std::vector<std::size_t> reached(branches.size());
    std::vector<std::size_t> seen(branches.size());
    if (!branches.empty()) {
        reached[0] = branches[0].size();
    }
    for (bool more = true; more;) {
        more = false;
        for (std::size_t b = 0; b < branches.size(); ++b) {
            for (; seen[b] < reached[b]; ++seen[b], more = true) {
                const GraphStep& step = branches[b][seen[b]];
                if (!step.work) {
                    reached[step.branch] = std::max(reached[step.branch], step.count);
                }
            }
        }
    }
    for (std::size_t b = 0; b < branches.size(); ++b) {
        if (reached[b] < stepsToJoin(branches[b])) {
            return false;
        }
    }
    return true;
}

void Graph::run(Schedule schedule) const {
    GraphRun progress(*this);
    if (schedule == Schedule::OthersFirst) {
        for (std::size_t b = branches.size() - 1; b > 0; --b) {
            progress.advance(b, branches[b].size());
        }
    }
    progress.advance(0, branches[0].size());
}

cudaError_t captureWork(cudaStream_t stream, Operation work) {
    Capture& capture = *stream->capture;
    if (capture.invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    capture.graph.branches[stream->branch].push_back({std::move(work)});
    return cudaSuccess;
}

CapturedMoment capturedNow(cudaStream_t stream) {
    return {stream->capture, stream->branch, stream->capture->graph.branches[stream->branch].size()};
}

cudaError_t captureWait(cudaStream_t stream, const CapturedMoment& moment) {
    Capture& capture = *moment.capture;
    if (capture.ended) {
        return cudaErrorCapturedEvent;
    }
    if (capture.invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (stream->capture && stream->capture != moment.capture) {
        invalidate(*stream->capture, cudaErrorStreamCaptureMerge);
        return invalidate(capture, cudaErrorStreamCaptureMerge);
    }
    if (!stream->capture) {
        join(stream, moment.capture);
    }
    capture.graph.branches[stream->branch].push_back({nullptr, moment.branch, moment.count});
    return cudaSuccess;
}

void abandonCapture(cudaStream_t stream) {
    if (const std::shared_ptr<Capture> capture = stream->capture) {
        release(*capture);
    }
}

cudaError_t checkNoCapture() {
    cudaError_t result = cudaSuccess;
    for (const cudaStream_t stream : liveStreams()) {
        if (stream->capture && stream->capture->thread == std::this_thread::get_id()) {
            result = invalidate(*stream->capture, cudaErrorStreamCaptureUnsupported);
        }
    }
    return result;
}

std::size_t liveGraphs() {
    return all<CUgraph_st>().size() + all<CUgraphExec_st>().size();
}

namespace {

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

cudaError_t beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (!isLive(stream)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (mode != cudaStreamCaptureModeThreadLocal) {
        return cudaErrorInvalidValue;
    }
    if (stream->capture) {
        return cudaErrorIllegalState;
    }
    join(stream, std::make_shared<Capture>());
    return cudaSuccess;
}

cudaError_t endCapture(cudaStream_t stream, std::shared_ptr<const Graph>& graph) {
    if (!stream->capture) {
        return cudaErrorIllegalState;
    }
    const std::shared_ptr<Capture> capture = stream->capture;
    if (stream->branch != 0) {
        return invalidate(*capture, cudaErrorStreamCaptureUnmatched);
    }
    if (capture->thread != std::this_thread::get_id()) {
        return invalidate(*capture, cudaErrorStreamCaptureWrongThread);
    }
    release(*capture);
    if (capture->invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (!capture->graph.joined()) {
        return cudaErrorStreamCaptureUnjoined;
    }
    graph = std::make_shared<const Graph>(std::move(capture->graph));
    return cudaSuccess;
}

}  // namespace
}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return call(__func__, [&](Lock&) { return beginCapture(stream, mode); });
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

// A GPU would start all of a graph at the priority of the stream that it is launched in, unless it is told to
// keep those of the streams that were captured. Whoever captured several wanted them.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return call(__func__, [&](Lock&) {
        checkLive(graph);
        const std::set<int> priorities(graph->graph->priorities.begin(), graph->graph->priorities.end());
        if (priorities.size() > 1 && (flags & cudaGraphInstantiateFlagUseNodePriority) == 0) {
            return cudaErrorInvalidValue;
        }
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
