// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "backend/backend.h"
#include "base/options.h"
#include "base/world.h"
#include "comm/rendezvous.h"

namespace dlperf::worker {

// What a step was like.
struct StepOutcome {
    float loss = 0;  // mean over the global batch
    // Seconds that the device had nothing to do before the step, for want of its batch; nothing where steps
    // are not ahead of the host, which then knows best how long it waited for images.
    std::optional<double> data;
    double comm = 0;       // seconds that computing waited for gradients to be reduced
    bool skipped = false;  // a gradient was too large for its type, so nothing was learned
    float lossScale = 1;   // of the next step
};

// Trains one device together with the other ranks', step by step. A device that computes by itself has the
// next step before the last one is finished, so that it never waits for the host.
class Trainer {
public:
    virtual ~Trainer() = default;

    // How many steps may be under way, at least 1.
    virtual int depth() const = 0;
    // Begins a step. The batch may be overwritten when this returns. Throws Failure.
    virtual void start(const Batch& batch) = 0;
    // Waits for the oldest step under way. Throws Failure(Communication) where a peer is lost or stalls.
    virtual StepOutcome finish() = 0;

    // How gradients are reduced, for the log's header: "none", "gloo", "nccl 2.28.9".
    virtual std::string comm() const = 0;
};

// What a trainer is made for.
struct TrainerSetup {
    const World& world;
    const Options& options;
    Rendezvous& rendezvous;  // the processes have met
    SgdStep step;            // with a gradient that is the mean over all ranks
};

}  // namespace dlperf::worker
