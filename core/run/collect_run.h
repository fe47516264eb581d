// SPDX-License-Identifier: Apache-2.0
// Ends a run on its nodes: nothing of it is left running, and what it left is brought home and checked.
#pragma once

#include <string>
#include <vector>

#include "core/run/monitor_run.h"
#include "core/run/outcome.h"

namespace dlperf::run {

// SIGTERM to all that belongs to the run, SIGKILL after the grace period, then a check. Returns the processes
// that are left all the same.
[[nodiscard]] Result<std::vector<std::string>> stopOnNode(NodeRun& node, const Settings& settings);

// Reads the logs to their ends and gives the nodes back. An error when a log's copy cannot be opened here.
[[nodiscard]] Result<std::vector<NodeEnd>> collectRun(RunContext& run, RunMonitor& monitor,
                                                      std::vector<LogFollower>& logs,
                                                      LockHeartbeats& heartbeats);

}  // namespace dlperf::run
