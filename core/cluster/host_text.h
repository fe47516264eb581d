// SPDX-License-Identifier: Apache-2.0
// Where a node is, as people write it: "gpu-01", "me@gpu-01.lab:2222", "[fe80::1]:2222"; nothing is this
// machine.
#pragma once

#include <string>
#include <string_view>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

[[nodiscard]] std::string hostText(const Node& node);

// The node at this place; an error names what cannot be read.
[[nodiscard]] Result<Node> withHost(Node node, std::string_view text);

}  // namespace dlperf::cluster
