// SPDX-License-Identifier: Apache-2.0
// Windows that the user changed after the runs: W/windows.json. All stand in one file, so that the
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

// A run in another window than it was run with, as its log was read again (core/measure).
struct ChangedWindow {
    Window window;
    Outcome outcome = Outcome::Ok;  // short: the log has no figure in it; failed: it cannot be read
    std::optional<double> figure;   // in the run's unit; of what is ok only
    std::string reason;             // why there is no figure
    std::vector<RunFinding> findings{};
    friend bool operator==(const ChangedWindow&, const ChangedWindow&) = default;
};

using ChangedWindows = std::map<std::string, ChangedWindow>;                // by run id
using WindowChanges = std::map<std::string, std::optional<ChangedWindow>>;  // nothing: as it was run

// None where the user changed none. An Input error if the file cannot be read.
[[nodiscard]] Result<ChangedWindows> readWindows(const Workspace& workspace);

// Makes all of the changes or, with a Work error, none.
[[nodiscard]] Result<void> changeWindows(const Workspace& workspace, const WindowChanges& changes);

// Only a run that had a window has another one: one that failed stays so, whatever its log holds. For results
// and for states of runs, which name it alike; so does applyWindow().
template <class Run>
[[nodiscard]] bool mayChangeWindow(const Run& run) {
    return run.originalWindow || run.outcome == Outcome::Ok || run.outcome == Outcome::Short;
}

// Puts the change, if there is one, in the place of what the run was measured with.
template <class Run>
void applyWindow(const ChangedWindows& windows, Run& run) {
    const auto changed = windows.find(run.id);
    if (changed == windows.end() || !mayChangeWindow(run)) {
        return;
    }
    run.originalWindow = run.originalWindow.value_or(run.window);
    if constexpr (requires { run.originalOutcome; }) {
        run.originalOutcome = run.originalOutcome.value_or(run.outcome);
    }
    run.window = changed->second.window;
    run.outcome = changed->second.outcome;
    run.reason = changed->second.reason;
    run.throughput = changed->second.figure;
    if constexpr (requires { run.findings; }) {
        run.findings = changed->second.findings;
    }
}

}  // namespace dlperf::store
