// SPDX-License-Identifier: Apache-2.0
// Measurement ranges that the user changed after the runs: W/windows.json. All stand in one file, so that the
// repetitions of a case change at once or not at all; what the runner and imports wrote of a run stays as it
// is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::store {

// A run in another range than it was run with, as its log was read again (core/measure).
struct ChangedRange {
    MeasurementRange range;
    Outcome outcome = Outcome::Ok;  // short: the log has no figure in it; failed: it cannot be read
    std::optional<double> figure;   // in the run's unit; of what is ok only
    std::string reason;             // why there is no figure
    std::vector<RunFinding> findings{};
    friend bool operator==(const ChangedRange&, const ChangedRange&) = default;
};

using ChangedRanges = std::map<std::string, ChangedRange>;                // by run id
using RangeChanges = std::map<std::string, std::optional<ChangedRange>>;  // nothing: as it was run

// None where the user changed none. An Input error if the file cannot be read.
[[nodiscard]] Result<ChangedRanges> readRanges(const Workspace& workspace);

// Makes all of the changes or, with a Work error, none.
[[nodiscard]] Result<void> changeRanges(const Workspace& workspace, const RangeChanges& changes);

// Only a run that had a range has another one: one that failed stays so, whatever its log holds. For results
// and for states of runs, which name it alike; so does applyRange().
template <class Run>
[[nodiscard]] bool mayChangeRange(const Run& run) {
    return run.originalRange || run.outcome == Outcome::Ok || run.outcome == Outcome::Short;
}

// Puts the change, if there is one, in the place of what the run was measured with.
template <class Run>
void applyRange(const ChangedRanges& ranges, Run& run) {
    const auto changed = ranges.find(run.id);
    if (changed == ranges.end() || !mayChangeRange(run)) {
        return;
    }
    run.originalRange = run.originalRange.value_or(run.range);
    if constexpr (requires { run.originalOutcome; }) {
        if (!run.originalOutcome) {
            run.originalThroughput = run.throughput;
        }
        run.originalOutcome = run.originalOutcome.value_or(run.outcome);
    }
    run.range = changed->second.range;
    run.outcome = changed->second.outcome;
    run.reason = changed->second.reason;
    run.throughput = changed->second.figure;
    if constexpr (requires { run.findings; }) {
        run.findings = changed->second.findings;
    }
}

}  // namespace dlperf::store
