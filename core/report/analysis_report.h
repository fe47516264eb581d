// SPDX-License-Identifier: Apache-2.0
// What `dlperf analyze` found in a folder of logs that is no workspace: its table and what stands out.
#pragma once

#include <vector>

#include "core/analysis/analyze.h"
#include "core/model/vocabulary.h"
#include "core/report/table.h"

namespace dlperf::report {

// Rows by model, then batch size descending, nodes, devices; figures as DLPerf prints them, nothing where
// there is none.
[[nodiscard]] Table tableOf(const analysis::Analysis& analysis);

// Of repetitions and of series , in the order of the comparison;
// `where` is the case: "r50 b128 fp32, 2n8g". What single logs and the folder say is in Analysis::findings
// and is not said again. Nothing of latencies: their logs are no repetitions of each other.
[[nodiscard]] std::vector<analysis::Finding> findingsBetween(const analysis::Analysis& analysis,
                                                             const Vocabulary& vocabulary);

}  // namespace dlperf::report
