// SPDX-License-Identifier: Apache-2.0
// What went on at the nodes of a run, as its record keeps it; what was not recorded is left out.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/model/node_noise.h"

namespace dlperf::store {

// Of at most 256 nodes.
[[nodiscard]] Json noiseJson(const std::vector<NodeNoise>& noise);
// Skips what is no such entry; names are bounded and clean.
[[nodiscard]] std::vector<NodeNoise> noiseFromJson(const Json& list);

}  // namespace dlperf::store
