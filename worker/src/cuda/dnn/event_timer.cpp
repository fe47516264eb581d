// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/event_timer.h"

#include <utility>

#include "base/failure.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda::dnn {
namespace {

constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

std::size_t bytesOf(const Graph& graph) {
    std::size_t bytes = 0;
    for (const GraphTensor& tensor : graph.tensors()) {
        bytes += aligned(tensor.bytes());
    }
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
      workspaceBytes_(workspaceBytes),
      stopwatch_(handle.stream()) {}

std::optional<double> EventTimer::seconds(const ExecutionPlan& plan) {
    if (plan.workspaceBytes() > workspaceBytes_) {
        return std::nullopt;
    }
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
    return stopwatch_.seconds([&] { plan.execute(handle_, arguments); });
}

}  // namespace dlperf::worker::cuda::dnn
