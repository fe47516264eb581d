// SPDX-License-Identifier: Apache-2.0
// Checks over all nodes: what must be the same on each, or fit together. Pure: from what probes found.
#pragma once

#include <optional>
#include <vector>

#include "core/cluster/checks.h"

namespace dlperf::cluster {

struct NodeAnswer {
    Node node;
    std::optional<NodeFacts> facts;  // nothing: not reached
    Error error{};                   // why
};

// Nodes that were not reached are passed over. Nothing for what no node can differ in, as with one node. What
// differs names the nodes that do.
[[nodiscard]] std::vector<Check> checkCluster(const std::vector<NodeAnswer>& nodes);

}  // namespace dlperf::cluster
