// SPDX-License-Identifier: Apache-2.0
// Preflight checks as text for people and as JSON for programs.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/remote/preflight.h"

namespace dlperf::app {

// A block a node, one of what is between them, and a line that sums up. Remote text is cleaned.
[[nodiscard]] std::string checkText(const remote::Preflight& found);
[[nodiscard]] Json checkJson(const std::string& cluster, const remote::Preflight& found);
// How many checks ended so, of the nodes and between them.
[[nodiscard]] std::size_t countChecks(const remote::Preflight& found, cluster::Verdict verdict);

}  // namespace dlperf::app
