// SPDX-License-Identifier: Apache-2.0
// What a run's nodes have of the machines that they are, by the facts that they told.
#pragma once

#include <vector>

#include "core/launch/prepare.h"
#include "core/run/outcome.h"

namespace dlperf::run {

// "nodes a, b are one machine": a finding for each machine that several nodes of the run are.
[[nodiscard]] std::vector<RunFinding> machineFindings(const std::vector<NodeEnd>& nodes);

// "16 threads compute on the 8 cores of node a", where processes that compute without GPUs were given more
// threads than the machine of their nodes has cores. `nodes` are the run's, by rank.
[[nodiscard]] std::vector<RunFinding> threadFindings(const launch::PlannedRun& run,
                                                     const std::vector<NodeEnd>& nodes);

}  // namespace dlperf::run
