// SPDX-License-Identifier: Apache-2.0
// What stands out at one cell of a comparison, in words: what it is, how much, and why it matters. Where it
// is says the cell that holds it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/case.h"

namespace dlperf::report {

// In the order in which a cell lists them.
enum class FindingKind {
    Missing,        // no figure, and not because nobody ever meant to measure it
    QuotedSpeedup,  // the source's own figures give another one
    Identical,      // another series has the same figures
    Falls,
    ScalingLoss,
    SuperLinear,
    NoBase,
    Outlier,
    WideSpread,
    Skewed,
    HeldBack,  // the slow repetitions, by what spared the others
    Versions,
    OneMachine,  // several nodes are
    ManyThreads,
    // Of the logs behind the cell.
    ShortRange,
    Overwritten,
    DoubtfulCase,
    MisreadTimes,
    OddClock,
    Drift,
    DataShare,
    Disturbed,
    SeveralRanks,
    Resumed,
    OddLines,
    Remark,
    ChangedRange,
};

struct CellFinding {
    FindingKind kind = FindingKind::Missing;
    std::string howMuch;  // "6,862.17 on 1n8g, 6,018.46 on 2n8g: −12.3 %"
    friend bool operator==(const CellFinding&, const CellFinding&) = default;
};

[[nodiscard]] const char* keyOf(FindingKind kind);         // "throughput-falls", for files
[[nodiscard]] const char* titleOf(FindingKind kind);       // "Throughput falls"
[[nodiscard]] const char* whyItMatters(FindingKind kind);  // a sentence without a full stop

// "Throughput falls: 6,862.17 on …"; with `why`, the sentence follows.
[[nodiscard]] std::string findingText(const CellFinding& finding, bool why);
// All of a cell, one a line; empty for none.
[[nodiscard]] std::string findingText(const std::vector<CellFinding>& findings, bool why);

// What a finding of the analysis is for people, by its stable id ("clock-steps-back" is an odd clock); an
// unknown one is a remark.
[[nodiscard]] FindingKind kindOfLogFinding(std::string_view id);

// What the run says of this kind first, or null.
[[nodiscard]] const RunFinding* findingOf(const RunResult& run, FindingKind kind);

// "what. Why it matters.", for lists of findings that stand by themselves; a remark stays as it is.
[[nodiscard]] std::string withWhy(std::string_view id, const std::string& what);

// `runs` are those of one cell, in repetition order. One for each kind of remark, however many repetitions
// have it. An excluded run says only whether its place is in doubt; one that failed for another reason need
// not say that its window was not reached.
[[nodiscard]] std::vector<CellFinding> logFindings(const std::vector<const RunResult*>& runs);

// "3 of 4 runs were disturbed, repeat them on idle nodes: repetition 1: other programs …", of those that have
// a figure and are not excluded; empty where none was.
[[nodiscard]] std::string disturbedText(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
