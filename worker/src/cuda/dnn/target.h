// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cuda/dnn/descriptor.h"
#include "cuda/dnn/device_description.h"
#include "cuda/dnn/handle.h"

namespace dlperf::worker::cuda::dnn {

// What graphs and plans are made for: a GPU that is there, or one that is only described. Copies are cheap.
class Target {
public:
    // The handle outlives the target and all that is made for it.
    explicit Target(const Handle& handle);
    // Throws Failure(Backend) where cuDNN does not accept the description.
    explicit Target(const DeviceDescription& device);

    // Tell one of cuDNN's objects, before it is finalised, what it is for.
    void applyToGraph(Descriptor& graph) const;
    void applyToHeuristics(Descriptor& heuristics) const;
    void applyToEngine(Descriptor& engine) const;
    void applyToPlan(Descriptor& plan) const;

private:
    const Handle* handle_ = nullptr;
    std::shared_ptr<const Descriptor> description_;
};

}  // namespace dlperf::worker::cuda::dnn
