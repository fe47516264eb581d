// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// A name for a node at this host that no other of the list has: "gpu-01", then "gpu-01-2".
[[nodiscard]] std::string freeName(std::string_view host, const std::vector<Node>& nodes);

}  // namespace dlperf::cluster
