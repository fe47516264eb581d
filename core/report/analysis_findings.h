// SPDX-License-Identifier: Apache-2.0
// What stands out between the logs of an analyzed folder: the findings of a comparison, said of logs that are
// in no workspace yet.
#pragma once

#include <vector>

#include "core/analysis/analyze.h"
#include "core/model/vocabulary.h"

namespace dlperf::report {

// Of repetitions (repetition_findings.h) and of series (series_findings.h), in the order of the comparison;
// `where` is the case: "r50 b128 fp32, 2n8g". What single logs and the folder say is in Analysis::findings
// and is not said again. Nothing of latencies: their logs are no repetitions of each other.
[[nodiscard]] std::vector<analysis::Finding> findingsBetween(const analysis::Analysis& analysis,
                                                             const Vocabulary& vocabulary);

}  // namespace dlperf::report
