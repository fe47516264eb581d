// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/trainer.h"
#include "base/options.h"

namespace dlperf::worker {

// Auto: CUDA where the plug-in for it and a GPU are found, else the CPU. Throws Failure(Backend) where this
// build or machine cannot, Failure(Memory) where the problem does not fit.
std::unique_ptr<Backend> makeBackend(BackendKind kind, const Problem& problem);

// The backend's own trainer, or else one that steps through its functions, reducing on the host. Both
// objects outlive it. Throws Failure.
std::unique_ptr<Trainer> makeTrainer(Backend& backend, const TrainerSetup& setup);

// programVersion(), and one line for each library that this build has or has not.
std::string buildFacts();

}  // namespace dlperf::worker
