// SPDX-License-Identifier: Apache-2.0
// Whether one case is faster than another, and whether that can be said at all. The plain ratio of the
// medians stays the headline; the rank test of the repetitions says whether to believe it.
#pragma once

#include <optional>
#include <string>

#include "core/analysis/rank_test.h"
#include "core/report/comparison.h"

namespace dlperf::report {

struct Difference {
    double relative = 0;  // −0.087: the median is 8.7 % below the other's
    analysis::Verdict verdict = analysis::Verdict::Unknown;
    std::optional<double> p;  // of the rank test, where both have repetitions
    std::size_t runs = 0;     // repetitions of the case, and of the other
    std::size_t otherRuns = 0;
};

// Nothing where one of both has no positive median.
[[nodiscard]] std::optional<Difference> differenceOf(const Cell& cell, const Cell& other);

[[nodiscard]] const char* keyOf(
    analysis::Verdict verdict);  // "different", "not-distinguishable", …, for files

// "different", "not distinguishable", "too few runs"; empty where there are no repetitions to judge by.
[[nodiscard]] std::string verdictText(analysis::Verdict verdict);

// "Not distinguishable: p = 0.310 (rank test of 7 and 7 runs, 5 % are wanted)", or why there is no test.
[[nodiscard]] std::string reasonText(const Difference& difference);

// The series with the best median at the topology: the largest, or the smallest of times. Null where none has
// a figure, or where series of both kinds have one.
[[nodiscard]] const ComparedSeries* bestAt(const Comparison& comparison, const Topology& topology,
                                           const std::set<std::string>& hidden = {});

// The largest topology of several devices at which at least two, and half, of the series that have it
// anywhere have it: what one series reaches alone compares nothing. Where no two share one, the largest of
// any; nothing where none has it.
[[nodiscard]] std::optional<std::size_t> largestShared(const Comparison& comparison,
                                                       bool (*has)(const Cell& cell));

// How a cell stands beside that of the best series at its topology; nothing of the best itself.
struct BesideBest {
    const ComparedSeries* best = nullptr;
    std::optional<Difference> difference{};
};
[[nodiscard]] BesideBest besideBest(const Comparison& comparison, const Cell& cell);

// No case at the topology has a second repetition: of none of them a test can say anything.
[[nodiscard]] bool ranOnce(const Comparison& comparison, const Topology& topology);

// "NGC PyTorch: −8.7 %, different (p = 0.004, 7 and 7 runs)", one for each series that is compared with the
// best at that topology; empty where no pair has repetitions. Without a verdict where all ran once.
[[nodiscard]] std::vector<std::string> differencesFromBest(const Comparison& comparison,
                                                           const Topology& topology);

}  // namespace dlperf::report
