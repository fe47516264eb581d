// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/cluster/probe.h"

namespace dlperf::remote {

// Asks the node what it is, within 200 s. An error says why it could not be asked.
[[nodiscard]] Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::stop_token& stop);

}  // namespace dlperf::remote
