// SPDX-License-Identifier: Apache-2.0
// What the logs of a run that ended say went wrong, on all its nodes.
#pragma once

#include <vector>

#include "core/diagnosis/diagnose.h"
#include "core/run/outcome.h"

namespace dlperf::run {

// Of exit codes only that of the node whose trainer failed first counts: we stopped the others. Without rules
// nothing is found.
[[nodiscard]] std::vector<diagnosis::Hint> diagnoseRun(const diagnosis::Rules& rules,
                                                       const StopDecision& stop,
                                                       const std::vector<NodeEnd>& nodes,
                                                       const Verdict& verdict);

}  // namespace dlperf::run
