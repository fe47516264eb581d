// SPDX-License-Identifier: Apache-2.0
// From the runs of one series to its cells: fold, speedup, efficiency, and why a figure is missing.
#pragma once

#include <vector>

#include "core/report/comparison.h"

namespace dlperf::report {

struct FoldedSeries {
    std::vector<Cell> cells;                // one for each topology, in the order given
    std::vector<std::string> dataWarnings;  // where a source contradicts itself: "quotes 13.45× for 4n8g, …"
    std::string driver;                     // of the GPUs, if its runs say the same one
};

// `runs` are of one series.
[[nodiscard]] FoldedSeries foldSeries(const std::vector<const RunResult*>& runs,
                                      const std::vector<Topology>& topologies,
                                      const analysis::FormatBook& formats);

}  // namespace dlperf::report
