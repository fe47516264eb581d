// SPDX-License-Identifier: Apache-2.0
// Another yardstick for a finished comparison: "how many times NGC PyTorch on one device".
#pragma once

#include <string>

#include "core/report/comparison.h"

namespace dlperf::report {

// Speedups over the 1n1g median of the series with this id, rounded as DLPerf's; efficiencies stay each
// series' own. The comparison as it is for an id that it does not have, or a series without 1n1g.
[[nodiscard]] Comparison overBase(Comparison comparison, const std::string& seriesId);

}  // namespace dlperf::report
