// SPDX-License-Identifier: Apache-2.0
#include "cuda/products/library_products.h"

#include <cudnn_graph.h>
#include <algorithm>
#include <array>

#include "cuda/dnn/convolution_graphs.h"
#include "cuda/dnn/event_timer.h"
#include "cuda/dnn/machine.h"
#include "cuda/dnn/plan_cache.h"
#include "failure.h"

namespace dlperf::worker::cuda {
namespace {

/// Makes tensors for the timing when there is something to time: with a full cache there never is.
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

std::array<dnn::Binding, 3> bindingsOf(Pass pass, const LayerTensors& tensors) {
    using dnn::Uid;
    switch (pass) {
        case Pass::Forward:
            return {
                {{Uid::Input, tensors.input}, {Uid::Filter, tensors.filter}, {Uid::Output, tensors.output}}};
        case Pass::DataGradient:
            return {{{Uid::InputGradient, tensors.input},
                     {Uid::Filter, tensors.filter},
                     {Uid::OutputGradient, tensors.output}}};
        case Pass::WeightGradient:
            break;
    }
    return {{{Uid::Input, tensors.input},
             {Uid::FilterGradient, tensors.filter},
             {Uid::OutputGradient, tensors.output}}};
}

}  // namespace

LibraryProducts::LibraryProducts(const Stream& stream, dnn::ElementType type)
    : type_(type), handle_(stream), target_(handle_), linear_(stream, type) {}

dnn::Graph LibraryProducts::graphOf(Pass pass, const dnn::ConvolutionShape& shape) const {
    switch (pass) {
        case Pass::Forward:
            return dnn::forwardGraph(target_, type_, shape);
        case Pass::DataGradient:
            return dnn::dataGradientGraph(target_, type_, shape);
        case Pass::WeightGradient:
            break;
    }
    return dnn::weightGradientGraph(target_, type_, shape);
}

void LibraryProducts::prepare(std::span<const Wanted> wanted) {
    const dnn::SearchLimits limits = limitsHere();
    dnn::PlanCache cache(dnn::PlanCache::defaultFolder(), dnn::machineOf(currentDevice()));
    std::size_t workspaceBytes = 0;
    for (const Wanted& one : wanted) {
        const std::pair key(one.pass, one.shape);
        if (plans_.contains(key)) continue;
        const dnn::Graph graph = graphOf(one.pass, one.shape);
        TimerOnDemand timer(handle_, graph, limits.workspaceBytes);
        dnn::ExecutionPlan plan = dnn::findPlan(target_, graph, limits, timer, cache);
        workspaceBytes = std::max(workspaceBytes, plan.workspaceBytes());
        plans_.emplace(key, std::move(plan));
        cache.save();  // after each, as whoever waits may lose patience
    }
    workspace_ = DeviceMemory(workspaceBytes);
}

void LibraryProducts::run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    const auto plan = plans_.find({pass, shape});
    if (plan == plans_.end())
        throw Failure(ExitCode::Internal, "a convolution was not prepared: " + shape.text());
    plan->second.execute(handle_, bindingsOf(pass, tensors), workspace_.at<void>(0));
}

void LibraryProducts::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    linear_.run(pass, shape, tensors);
}

std::string LibraryProducts::libraries() const {
    const std::size_t version = cudnnGetVersion();
    const auto part = [](std::size_t number) { return std::to_string(number); };
    return "cuDNN " + part(version / 10000) + "." + part(version / 100 % 100) + "." + part(version % 100) +
           ", " + linear_.library();
}

}  // namespace dlperf::worker::cuda
