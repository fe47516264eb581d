// SPDX-License-Identifier: Apache-2.0
// Findings of a run as files of a workspace keep them.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::store {

[[nodiscard]] Json findingsJson(const std::vector<RunFinding>& findings);

// A bounded part of them, of texts that are bounded and clean: those of a hostile log are many and long.
// What is no finding is left out.
[[nodiscard]] std::vector<RunFinding> readFindings(const Json& list);

}  // namespace dlperf::store
