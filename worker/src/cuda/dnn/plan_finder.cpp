// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_finder.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "cuda/dnn/plan_search.h"
#include "cuda/runtime/cache.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// Times plans on tensors of noise. It makes them when there is something to time: with a full cache there
// never is.
class EventTimer final : public PlanTimer {
public:
    EventTimer(const Handle& handle, const Graph& graph, std::size_t workspaceBytes, PlanCache& cache)
        : handle_(handle),
          graph_(graph),
          workspaceBytes_(workspaceBytes),
          cache_(cache),
          stopwatch_(handle.stream()) {}

    std::optional<double> seconds(const ExecutionPlan& plan, double hopeless) override {
        if (sets_.empty()) {
            makeTensors();
        }
        if (plan.workspaceBytes() > workspaceBytes_ || !cache_.beginTrial(graph_.key(), plan.choice())) {
            return std::nullopt;
        }
        std::optional<double> seconds;
        try {
            const auto start = [&] { plan.execute(handle_, sets_[turn_++ % sets_.size()]); };
            seconds = stopwatch_.seconds(start, hopeless, sets_.size());
        } catch (const Failure& failure) {
            // A plan that cannot be started is passed over.
            cudaGetLastError();
            requireDevice(failure);
        }
        cache_.endTrial();
        return seconds;
    }

private:
    // Once a plan has written where it must not, the device does nothing more for this process. The trial
    // does not end then, so that the next process passes over the plan.
    void requireDevice(const Failure& cause) const {
        if (cudaStreamSynchronize(handle_.stream()) != cudaSuccess) {
            throw Failure(ExitCode::Internal, std::string("a plan of cuDNN's ended the work of the GPU (") +
                                                  cause.what() + "); it is left out at the next start");
        }
    }

    void makeTensors() {
        const std::vector<GraphTensor>& tensors = graph_.tensors();
        std::size_t bytes = 0;
        for (const GraphTensor& tensor : tensors) {
            bytes += tensor.bytes();
        }
        std::vector<std::byte*> places(setsBeyondCache(bytes) * tensors.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            tensors_.reserve(places[i], tensors[i % tensors.size()].bytes());
        }
        tensors_.allocate();
        workspace_ = DeviceMemory(workspaceBytes_);
        std::vector<Binding> bindings;
        for (std::size_t i = 0; i < places.size(); ++i) {
            bindings.push_back({tensors[i % tensors.size()].uid, places[i]});
            if (bindings.size() == tensors.size()) {
                sets_.push_back(argumentsOf(bindings, workspace_.at<void>(0)));
                bindings.clear();
            }
        }
        fillWithNoise(tensors_.data(), tensors_.bytes(), handle_.stream());
    }

    const Handle& handle_;
    const Graph& graph_;
    std::size_t workspaceBytes_;
    PlanCache& cache_;
    Stopwatch stopwatch_;
    DeviceArena tensors_;
    DeviceMemory workspace_;
    std::vector<Descriptor> sets_;  // of tensors, used in turn
    std::size_t turn_ = 0;
};

SearchLimits limitsHere(PlanSearch search) {
    std::size_t free = 0;
    std::size_t total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    SearchLimits limits;
    if (search == PlanSearch::First) {
        limits.timings = 0;
    }
    limits.workspaceBytes = std::min(limits.workspaceBytes, total / 8);
    return limits;
}

}  // namespace

PlanSearch planSearchFrom(const std::optional<std::string>& text) {
    if (!text) {
        return PlanSearch::Fastest;
    }
    if (*text != "0") {
        throw Failure(ExitCode::Usage,
                      "DLPERF_WORKER_PLANS must be 0, which times none of cuDNN's plans, or unset, not '" +
                          *text + "'");
    }
    return PlanSearch::First;
}

PlanFinder::PlanFinder(const Stream& stream, PlanSearch search)
    : handle_(stream), target_(handle_), cache_(PlanCache::defaultFolder(), thisMachine()), search_(search) {}

ExecutionPlan PlanFinder::find(const Graph& graph) {
    const SearchLimits limits = limitsHere(search_);
    EventTimer timer(handle_, graph, limits.workspaceBytes, cache_);
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

void PlanFinder::remember(const std::string& key, const EngineChoice& choice) {
    if (search_ == PlanSearch::Fastest) {
        cache_.remember(key, choice);
        cache_.save();
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
    plan.execute(handle_, argumentsOf(bindings, workspace_.at<void>(0)));
}

}  // namespace dlperf::worker::cuda::dnn
