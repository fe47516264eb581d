// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/plan_finder.h"

#include <algorithm>
#include <string>

#include "base/failure.h"
#include "cuda/dnn/event_timer.h"
#include "cuda/dnn/find_plan.h"
#include "cuda/dnn/machine.h"

namespace dlperf::worker::cuda {
namespace {

// Makes tensors for the timing when there is something to time: with a full cache there never is.
class TimerOnDemand final : public dnn::PlanTimer {
public:
    TimerOnDemand(const dnn::Handle& handle, const dnn::Graph& graph, std::size_t workspaceBytes)
        : handle_(handle), graph_(graph), workspaceBytes_(workspaceBytes) {}

    std::optional<double> seconds(const dnn::ExecutionPlan& plan) override {
        if (!timer_) {
            tensors_.emplace(graph_, handle_.stream());
            workspace_ = DeviceMemory(workspaceBytes_);
            timer_.emplace(handle_, tensors_->bindings(), workspace_.at<void>(0), workspaceBytes_);
        }
        return timer_->seconds(plan);
    }

private:
    const dnn::Handle& handle_;
    const dnn::Graph& graph_;
    std::size_t workspaceBytes_;
    std::optional<dnn::ScratchTensors> tensors_;
    DeviceMemory workspace_;
    std::optional<dnn::EventTimer> timer_;
};

dnn::SearchLimits limitsHere() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    dnn::SearchLimits limits;
    limits.workspaceBytes = std::min(limits.workspaceBytes, total / 8);
    return limits;
}

int currentDevice() {
    int device = 0;
    check(cudaGetDevice(&device), "tell the GPU in use");
    return device;
}

}  // namespace

PlanFinder::PlanFinder(const Stream& stream)
    : handle_(stream),
      target_(handle_),
      cache_(dnn::PlanCache::defaultFolder(), dnn::machineOf(currentDevice())) {}

dnn::ExecutionPlan PlanFinder::find(const dnn::Graph& graph) {
    const dnn::SearchLimits limits = limitsHere();
    TimerOnDemand timer(handle_, graph, limits.workspaceBytes);
    dnn::ExecutionPlan plan = dnn::findPlan(target_, graph, limits, timer, cache_);
    workspaceBytes_ = std::max(workspaceBytes_, plan.workspaceBytes());
    cache_.save();
    return plan;
}

std::optional<dnn::ExecutionPlan> PlanFinder::findIfAny(const dnn::Graph& graph) {
    if (!cache_.find(graph.key())) {
        const std::string none = "none for " + graph.key();
        if (cache_.find(none)) {
            return std::nullopt;
        }
        if (dnn::candidatesFor(target_, graph).empty()) {
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

void PlanFinder::execute(const dnn::ExecutionPlan& plan, std::span<const dnn::Binding> bindings) const {
    plan.execute(handle_, bindings, workspace_.at<void>(0));
}

}  // namespace dlperf::worker::cuda
