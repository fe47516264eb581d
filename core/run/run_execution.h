// SPDX-License-Identifier: Apache-2.0
// One run from claim to verdict, on all its nodes: prepare, monitor, collect. The same code resumes a run
// whose runner was killed: what its journal says is done is not done again, and every step on a node may be
// repeated.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/run/control.h"
#include "core/run/journal.h"
#include "core/run/node_run.h"
#include "core/run/settings.h"
#include "core/run/versions.h"

namespace dlperf::run {

struct RunTask {
    launch::PlannedRun planned;
    std::filesystem::path folder;  // the run's folder in the workspace; exists
    int timeoutSeconds = 3600;
    NodeVersions versions{};  // of nodes that need not be asked again
    // Whether another run of the workspace has its verdict: what a node still has of it is nobody's.
    std::function<bool(const std::string& runId)> isOver = [](const std::string&) { return false; };
    // Whether no node of the campaign answers that did before: more likely our own way there is cut.
    std::function<bool()> isCutOff = [] { return false; };
};

// Takes the phase and the alerts that a run has from now on.
using PublishProgress = std::function<void(RunPhase phase, const std::vector<NodeAlert>& alerts)>;

// What all stages of one run share.
struct RunContext {
    RunTask task;
    std::vector<NodeRun> nodes;  // by rank
    Journal journal;
    Control& control;
    Settings settings;
    RunState& state;  // with what the run's own journal says
    PublishProgress publish;
    std::optional<Error> brokenJournal{};  // the workspace cannot be written to: the run ends

    // Applies what happened and writes it down.
    void note(Happening what);
    // Whether nodes that have been silent for so long may still come back in time. While none at all answers
    // there is as much time as the run itself has: a run that is on would be waited for, too.
    [[nodiscard]] bool mayWaitForNodes(std::chrono::steady_clock::duration silence) const;
    void publishProgress(RunPhase phase, std::string message = {}, const std::vector<NodeAlert>& alerts = {});
};

// What a run that ended leaves beside its state.
struct RunRemains {
    Json facts = Json::object();
    NodeVersions versions{};
    std::optional<Error> brokenJournal{};  // the run ended, but the workspace cannot be written to
    std::vector<NodeRun> copied{};         // of these nodes all that is needed is here
};

// Always ends, gives the state its verdict, and leaves nothing running unless a node cannot be reached (the
// verdict then says so). An error: the log cannot be brought home, so there is no verdict and a resume goes
// on here.
[[nodiscard]] Result<RunRemains> executeRun(RunContext run);

}  // namespace dlperf::run
