// SPDX-License-Identifier: Apache-2.0
// Analyzed logs -> cases, folded as DLPerf folds them.
#pragma once

#include "core/analysis/analyze.h"

namespace dlperf::analysis {

// Fills `models` from `logs`, sets AnalyzedLog::folded and adds what it notices to `findings`.
void summarize(Analysis& analysis);

}  // namespace dlperf::analysis
