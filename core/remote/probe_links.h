// SPDX-License-Identifier: Apache-2.0
// Lets the nodes of a cluster connect to each other: all with the first, the first with all, and each with
// the next.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/cluster/link_checks.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

// By node, in their order; nodes without facts are left out. With SSH the first
// node also tries to log in to the others. Ends within about 90 s, when all is
// well in less than one. `transports` is one a node; null for a node without facts.
[[nodiscard]] std::vector<cluster::NodeLinks> probeLinks(
    const std::vector<cluster::NodeAnswer>& nodes, const std::vector<std::shared_ptr<Transport>>& transports,
    bool withSsh, const std::stop_token& stop);

}  // namespace dlperf::remote
