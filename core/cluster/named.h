// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace dlperf::cluster {

// Names of nodes for one sentence: "a, b, c and 12 more".
[[nodiscard]] std::string named(const std::vector<std::string>& nodes);

}  // namespace dlperf::cluster
