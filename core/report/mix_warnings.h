// SPDX-License-Identifier: Apache-2.0
// What a comparison mixes that it should not: said on every chart and in every report.
#pragma once

#include <string>
#include <vector>

#include "core/report/comparison.h"

namespace dlperf::report {

// How the warning of mixed batch sizes begins; a chart over the batch size leaves it out.
inline constexpr const char* batchSizesDiffer = "Batch sizes differ";

[[nodiscard]] std::vector<std::string> mixWarnings(const std::vector<ComparedSeries>& series,
                                                   const Vocabulary& vocabulary);

// Those of a comparison as it is, with the doubts about its sources; without what concerns hidden series
// only.
[[nodiscard]] std::vector<std::string> warningsOf(const Comparison& comparison, const Vocabulary& vocabulary,
                                                  const std::set<std::string>& hidden = {});

}  // namespace dlperf::report
