// SPDX-License-Identifier: Apache-2.0
// What a campaign that adds runs to itself has found, for a terminal and as JSON.
#pragma once

#include <iosfwd>

#include "core/base/json.h"
#include "core/run/run_state.h"

namespace dlperf::app {

// Of each search its answer in a sentence and a table of its trials; of each case that is repeated until its
// interval is narrow how wide that is. Nothing for other campaigns.
void printTrials(std::ostream& out, const run::Campaign& campaign);
// A list of {"recipe", …, "topology", "answer", "fits", "fails", "goes_on", "what", "trials": [{"run",
// "batch_size", "outcome", "throughput", "memory_mb"}]}; outcome null of a trial that has not ended.
[[nodiscard]] Json searchesJson(const run::Campaign& campaign);
// A list of {"recipe", …, "topology", "batch_size", "runs", "width", "goes_on", "what"}; width is a fraction
// of the median, null for too few figures.
[[nodiscard]] Json repeatedJson(const run::Campaign& campaign);

}  // namespace dlperf::app
