// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_finder.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "cuda/dnn/plan_search.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// Times plans on tensors of noise. It makes them when there is something to time: with a full cache there
// never is.
class EventTimer final : public PlanTimer {
public:
    EventTimer(const Handle& handle, const Graph& graph, std::size_t workspaceBytes)
        : handle_(handle), graph_(graph), workspaceBytes_(workspaceBytes), stopwatch_(handle.stream()) {}

    std::optional<double> seconds(const ExecutionPlan& plan) override {
        if (bindings_.empty()) {
            makeTensors();
        }
        if (plan.workspaceBytes() > workspaceBytes_) {
            return std::nullopt;
        }
        try {
            const Arguments arguments(bindings_, workspace_.at<void>(0));
            return stopwatch_.seconds([&] { plan.execute(handle_, arguments); });
        } catch (const Failure&) {
            // A plan that cannot be started is passed over. Where the device itself is lost all others fail.
            cudaGetLastError();
            return std::nullopt;
        }
    }

private:
    void makeTensors() {
        std::vector<std::size_t> offsets;
        for (const GraphTensor& tensor : graph_.tensors()) {
            offsets.push_back(tensors_.reserve(tensor.bytes()));
        }
        tensors_.allocate();
        workspace_ = DeviceMemory(workspaceBytes_);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            bindings_.push_back({graph_.tensors()[i].uid, tensors_.at<std::byte>(offsets[i])});
        }
        fillWithNoise(tensors_.at<std::byte>(0), tensors_.bytes(), handle_.stream());
    }

    const Handle& handle_;
    const Graph& graph_;
    std::size_t workspaceBytes_;
    Stopwatch stopwatch_;
    DeviceArena tensors_;
    DeviceMemory workspace_;
    std::vector<Binding> bindings_;
};

SearchLimits limitsHere() {
    std::size_t free = 0;
    std::size_t total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    SearchLimits limits;
    limits.workspaceBytes = std::min(limits.workspaceBytes, total / 8);
    return limits;
}

int currentDevice() {
    int device = 0;
    cuda::check(cudaGetDevice(&device), "tell the GPU in use");
    return device;
}

}  // namespace

PlanFinder::PlanFinder(const Stream& stream)
    : handle_(stream), target_(handle_), cache_(PlanCache::defaultFolder(), machineOf(currentDevice())) {}

ExecutionPlan PlanFinder::find(const Graph& graph) {
    const SearchLimits limits = limitsHere();
    EventTimer timer(handle_, graph, limits.workspaceBytes);
    ExecutionPlan plan = findPlan(target_, graph, limits, timer, cache_);
    workspaceBytes_ = std::max(workspaceBytes_, plan.workspaceBytes());
    cache_.save();
    return plan;
}

std::optional<ExecutionPlan> PlanFinder::findIfAny(const Graph& graph) {
    if (!cache_.find(graph.key())) {
        const std::string none = "none for " + graph.key();
        if (cache_.find(none)) {
            return std::nullopt;
        }
        if (candidatesFor(target_, graph).empty()) {
            cache_.remember(none, {});
            cache_.save();
            return std::nullopt;
        }
    }
    try {
        return find(graph);
    } catch (const Failure& failure) {
        // There are some, but none works here and now.
        if (failure.code() != ExitCode::Backend) {
            throw;
        }
        return std::nullopt;
    }
}

void PlanFinder::allocateWorkspace() {
    if (workspace_.bytes() >= workspaceBytes_) {
        return;
    }
    workspace_ = DeviceMemory();  // first, as both may not fit
    workspace_ = DeviceMemory(workspaceBytes_);
}

void PlanFinder::execute(const ExecutionPlan& plan, std::span<const Binding> bindings) const {
    plan.execute(handle_, bindings, workspace_.at<void>(0));
}

}  // namespace dlperf::worker::cuda::dnn
