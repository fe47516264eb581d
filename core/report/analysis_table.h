// SPDX-License-Identifier: Apache-2.0
// What `dlperf analyze` found in a folder of logs, as a table.
#pragma once

#include "core/analysis/analyze.h"
#include "core/report/table.h"

namespace dlperf::report {

// Rows by model, then batch size descending, nodes, devices; figures as DLPerf prints them, nothing where
// there is none.
[[nodiscard]] Table tableOf(const analysis::Analysis& analysis);

}  // namespace dlperf::report
