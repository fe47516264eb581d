// SPDX-License-Identifier: Apache-2.0
// What changed on a node since it was last checked. What it was then stands in a small file on this machine.
#pragma once

#include <filesystem>

#include "core/cluster/probe.h"

namespace dlperf::remote {

// Sets facts.changes and keeps what the node is now for the next check, in a folder that is made. Where the
// folder cannot be written to, nothing is known to have changed.
void tellChanges(const std::filesystem::path& folder, const cluster::Node& node, cluster::NodeFacts& facts);

// Of this user: $XDG_STATE_HOME/dlperf/checks, in ~/.local/state where that is not set.
[[nodiscard]] std::filesystem::path lastChecks();

}  // namespace dlperf::remote
