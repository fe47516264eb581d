// SPDX-License-Identifier: Apache-2.0
// The steps of compare(): one series for the sources that quote the same figures, the runs of a series folded
// into cells, and what stands out in the whole.
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

// A published series joins another one of the same configuration that says all that it says: the same
// figures, failures and exclusions for the same topologies and repetitions, and no other speedup for them.
// The one that says most keeps its name. Speedups that only the joining one quotes are kept. In the order of
// the keys.
[[nodiscard]] std::vector<SeriesRuns> mergeSources(
    std::map<SeriesKey, std::vector<const RunResult*>>&& runsByKey);

// From the runs of one series to its cells: fold, speedup, efficiency, and why a figure is missing.
struct FoldedSeries {
    std::vector<Cell> cells;                // one for each topology, in the order given
    std::vector<std::string> dataWarnings;  // where a source contradicts itself: "quotes 13.45× for 4n8g, …"
    std::string driver;                     // of the GPUs, if its runs say the same one
};

// `runs` are of one series.
[[nodiscard]] FoldedSeries foldSeries(const std::vector<const RunResult*>& runs,
                                      const std::vector<Topology>& topologies,
                                      const analysis::FormatBook& formats);

// Marks what repetitions, series and their comparison show, beside what folding a cell has found.
//
// Missing figure: a run ended without one, or a source announces it (TODO, OOM). Throughput falls: the median
// is more than 0.5 % below that of fewer devices, unless the repetitions of both do not tell them apart.
// Super-linear: an efficiency above 102 % whose interval, if it has one, lies above 100 %. No 1n1g figure:
// said once, at the smallest topology that has a figure, of a series that has more than one device somewhere.
// Of a figure that is better when it is lower only the missing ones count.
// Scaling loss: the first topology where the efficiency of the series is more than 10 points below the median
// of the others'; with fewer than 3 others there is nothing to hold it against.
// Identical figures: two series of different cases have three common topologies or more with a figure, and
// the same figure to the last digit on all of them.
// Outlier: a repetition that does not belong to the others (core/analysis/robust.h), by its number. Wide
// spread: their robust standard deviation is above 1 % of the median, which one in eight of the cases that
// DLPerf published exceeds. Average and median disagree: by more than 2.5 % of the median. Slow repetitions
// were held back: where one of these three is found and the records say by what. Versions differ:
// what decides speed was not the same in all repetitions. Range changed: the user had some of its logs
// measured in another one than they were run with.
void markFindings(Comparison& comparison);

}  // namespace dlperf::report
