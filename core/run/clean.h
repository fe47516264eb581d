// SPDX-License-Identifier: Apache-2.0
// What runs have left on their nodes: a node that was not reached at a run's end, a runner that was killed or
// told to keep the files, and what trainers wrote beside their logs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/run/node_run.h"
#include "core/store/workspace.h"

namespace dlperf::run {

// By run, the nodes from which its folder may go: the run is over and the node's log is here byte for byte.
using RemovableRuns = std::map<std::string, std::set<std::string>>;
[[nodiscard]] RemovableRuns removableRuns(const store::Workspace& workspace);

// Nodes of all campaigns of the workspace, each once.
[[nodiscard]] std::vector<cluster::Node> nodesOfCampaigns(const store::Workspace& workspace);

struct RunFolderOnNode {
    std::string run;
    std::uint64_t kib = 0;
};
[[nodiscard]] Result<std::vector<RunFolderOnNode>> listRuns(const NodeRun& node);
// Removes the folders of these runs with all that is in them.
[[nodiscard]] Result<void> removeRuns(const NodeRun& node, const std::vector<RunFolderOnNode>& runs);

}  // namespace dlperf::run
