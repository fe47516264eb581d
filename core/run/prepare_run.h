// SPDX-License-Identifier: Apache-2.0
// From the claim of a run's nodes to the start of its trainers.
#pragma once

#include <memory>
#include <vector>

#include "core/run/lock_heartbeat.h"
#include "core/run/run_execution.h"

namespace dlperf::run {

using LockHeartbeats = std::vector<std::unique_ptr<LockHeartbeat>>;  // by rank; null where nothing is claimed

// Nodes that are claimed when a step fails stay claimed. `versions` are those that need not be asked again.
[[nodiscard]] Result<void> prepareRun(RunContext& run, const NodeVersions& versions,
                                      LockHeartbeats& heartbeats);

}  // namespace dlperf::run
