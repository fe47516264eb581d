// SPDX-License-Identifier: Apache-2.0
// Equal answers of many nodes said once: "node[1-64]: 812 GB free".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/cluster/checks.h"

namespace dlperf::cluster {

// Names as Slurm and clush write sets of nodes: "gpu1, node[01-03,07]", in the order of first letters and
// numbers.
[[nodiscard]] std::string foldNames(const std::vector<std::string>& names);

struct FoldedCheck {
    Check check;  // the first node's; numbers that differ stand in its summary as "66 to 67"
    std::vector<std::string> nodes;
};

// Checks of one title and verdict whose summaries differ in numbers alone, in the order in which they first
// come; those of one title stand together.
[[nodiscard]] std::vector<FoldedCheck> foldChecks(
    const std::vector<std::pair<std::string, std::vector<Check>>>& ofNodes);

}  // namespace dlperf::cluster
