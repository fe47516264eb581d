// SPDX-License-Identifier: Apache-2.0
// The same published figures stand in several places: a readme, a report, its translation, a summary. They
// are one series with all its sources, not as many lines on top of each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/report/comparison.h"

namespace dlperf::report {

struct SeriesRuns {
    SeriesKey key;
    std::vector<const RunResult*> runs;
    std::vector<std::string> sources;  // campaigns, the key's first; published series only
};

// A published series joins another one of the same subject that says all that it says: the same figures,
// failures and exclusions for the same topologies and repetitions, and no other speedup for them. The one
// that says most keeps its name. Speedups that only the joining one quotes are kept. In the order of the
// keys.
[[nodiscard]] std::vector<SeriesRuns> mergeSources(
    std::map<SeriesKey, std::vector<const RunResult*>>&& runsByKey);

}  // namespace dlperf::report
