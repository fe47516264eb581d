// SPDX-License-Identifier: Apache-2.0
// The environment of one node in one run: every DLPERF_ variable, and nothing else that the node does not
// add.
#pragma once

#include <vector>

#include "core/launch/prepare.h"

namespace dlperf::launch {

// The values that options have in this run: recipe default, plan over it; by option name.
using OptionValues = std::map<std::string, std::string>;

// "image_size" -> "DLPERF_OPT_IMAGE_SIZE"
[[nodiscard]] std::string optionVariable(const std::string& option);

// One launch a node, by rank. `nodes` are the run's nodes in rank order; run.benchmarkCase and run.window are
// set.
[[nodiscard]] std::vector<NodeLaunch> nodeLaunches(const PlannedRun& run, StartOn start,
                                                   const OptionValues& options,
                                                   const std::vector<const cluster::Node*>& nodes);

}  // namespace dlperf::launch
