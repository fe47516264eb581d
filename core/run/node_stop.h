// SPDX-License-Identifier: Apache-2.0
// The end of a run on one node: nothing of it is left running, and what it left is brought home and checked.
#pragma once

#include "core/run/log_copy.h"
#include "core/run/log_follow.h"
#include "core/run/node_run.h"
#include "core/run/outcome.h"
#include "core/run/settings.h"

namespace dlperf::run {

// SIGTERM to all that belongs to the run, SIGKILL after the grace period, then a check. Returns the processes
// that are left all the same.
[[nodiscard]] Result<std::vector<std::string>> stopOnNode(NodeRun& node, const Settings& settings);

// Takes exit code, checksum and facts, and copies the log's end.
[[nodiscard]] NodeEnd collectFromNode(NodeRun& node, LogCopy copy, LogFollower& log,
                                      const std::vector<std::string>& gpuProcessesBefore,
                                      const Settings& settings);

// The same of a node that is not reached: what is here is all there is.
[[nodiscard]] NodeEnd endWithoutNode(const NodeRun& node, LogCopy& copy, LogFollower& log,
                                     const Error& error);

// Gives the node's lock back, also when a claim was cut short and it is not known whether the node has it.
// Not while something of the run is left there: the next run must not be measured beside it.
void releaseUnlessLeft(NodeRun& node, NodeEnd& end, const Settings& settings);

}  // namespace dlperf::run
