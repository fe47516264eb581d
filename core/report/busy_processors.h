// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::report {

// "the processors of node2 were busy 97.1 % of the time": of the nodes at this place ("node2", "rank 5
// (node2)"; empty: all) those that had no processor left for nine tenths of the measured iterations or more,
// the median of the runs. Empty where there is none, or a run's telemetry does not tell.
[[nodiscard]] std::string busyProcessors(const std::vector<const RunResult*>& runs, const std::string& where);
// Whether every run's telemetry tells of every node that it is none of those.
[[nodiscard]] bool haveIdleProcessors(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
