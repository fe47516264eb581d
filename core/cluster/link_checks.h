// SPDX-License-Identifier: Apache-2.0
// Checks between nodes: from what each found when it tried to reach the others.
#pragma once

#include <vector>

#include "core/cluster/cluster_checks.h"
#include "core/cluster/link_probe.h"

namespace dlperf::cluster {

// What one node could do for the others, and what it found of them.
struct NodeLinks {
    Listener listener;
    std::vector<Connection> links;
    Error error{};  // why it could not be asked; empty where it could
};

// `links` is by node, in the order of `nodes`. Nodes that were not reached are passed over.
[[nodiscard]] std::vector<Check> checkLinks(const std::vector<NodeAnswer>& nodes,
                                            const std::vector<NodeLinks>& links);

}  // namespace dlperf::cluster
