// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

Target::Target(const Handle& handle) : handle_(&handle) {}

Target::Target(const DeviceDescription& device) {
    const std::string json = device.json();
    Descriptor description(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    // With its terminating zero.
    description.setAll<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, {json.c_str(), json.size() + 1});
    description.finalize("a described device");
    description_ = std::make_shared<const Descriptor>(std::move(description));
}

void Target::applyToGraph(Descriptor& graph) const {
    if (handle_ != nullptr) {
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle_->get());
    }
}

void Target::applyToHeuristics(Descriptor& heuristics) const {
    if (description_) {
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *description_);
    }
}

void Target::applyToEngine(Descriptor& engine) const {
    if (description_) {
        engine.set(CUDNN_ATTR_ENGINE_DEVICEPROP, *description_);
    }
}

void Target::applyToPlan(Descriptor& plan) const {
    if (handle_ != nullptr) {
        plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle_->get());
    }
    if (description_) {
        plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *description_);
    }
}

}  // namespace dlperf::worker::cuda::dnn
