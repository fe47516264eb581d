// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/event_timer.h"

#include <utility>

#include "cuda/graph.h"
#include "cuda/noise.h"
#include "failure.h"

namespace dlperf::worker::cuda::dnn {
namespace {

constexpr std::size_t kAlignment = 256;
/// Executions between two events: one alone may take less time than to start it.
constexpr int kExecutions = 4;

std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t bytesOf(const Graph& graph) {
    std::size_t bytes = 0;
    for (const GraphTensor& tensor : graph.tensors())
        bytes += aligned(tensor.bytes());
    return bytes;
}

}  // namespace

ScratchTensors::ScratchTensors(const Graph& graph, cudaStream_t stream) : memory_(bytesOf(graph)) {
    std::size_t offset = 0;
    for (const GraphTensor& tensor : graph.tensors()) {
        bindings_.push_back({tensor.uid, memory_.at<std::byte>(offset)});
        offset += aligned(tensor.bytes());
    }
    fillWithNoise(memory_.at<std::byte>(0), memory_.bytes(), stream);
}

EventTimer::EventTimer(const Handle& handle, std::vector<Binding> bindings, void* workspace,
                       std::size_t workspaceBytes)
    : handle_(handle),
      bindings_(std::move(bindings)),
      workspace_(workspace),
      workspaceBytes_(workspaceBytes) {}

std::optional<double> EventTimer::seconds(const ExecutionPlan& plan) {
    if (plan.workspaceBytes() > workspaceBytes_) return std::nullopt;
    try {
        return measure(plan);
    } catch (const Failure&) {
        // A plan that cannot be started is passed over. Where the device itself is lost all others fail too.
        cudaGetLastError();
        return std::nullopt;
    }
}

double EventTimer::measure(const ExecutionPlan& plan) {
    const Arguments arguments(bindings_, workspace_);
    // Loads the kernels, which a graph that is recorded must not do.
    plan.execute(handle_, arguments);
    // As a step will have them: a plan that cannot be recorded is of no use, and starting is no part of the
    // time.
    const CapturedGraph graph(handle_.stream(), [&] {
        for (int turn = 0; turn < kExecutions; ++turn)
            plan.execute(handle_, arguments);
    });
    begin_.record(handle_.stream());
    graph.launch(handle_.stream());
    end_.record(handle_.stream());
    end_.wait();
    return secondsBetween(begin_, end_) / kExecutions;
}

}  // namespace dlperf::worker::cuda::dnn
