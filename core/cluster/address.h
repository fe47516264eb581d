// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// How the nodes of one run reach each other, in their order. Nodes that all stand on this machine meet on the
// loopback.
[[nodiscard]] std::vector<std::string> addressesOf(const std::vector<const Node*>& nodes);

}  // namespace dlperf::cluster
