// SPDX-License-Identifier: Apache-2.0
// One run from claim to verdict, on all its nodes. The same code takes up a run of a runner that was killed:
// what its journal says is done is not done again, and every step on a node may be repeated.
#pragma once

#include "core/run/control.h"
#include "core/run/journal.h"
#include "core/run/log_follow.h"
#include "core/run/node_keeper.h"
#include "core/run/node_watch.h"
#include "core/run/outcome.h"
#include "core/run/settings.h"
#include "core/run/stall_detector.h"
#include "core/run/versions.h"
#include "core/run/worker_copy.h"

namespace dlperf::run {

struct RunTask {
    launch::PlannedRun planned;
    std::filesystem::path folder;  // the run's folder in the workspace; exists
    int timeoutSeconds = 3600;
    NodeVersions versions{};  // of nodes that need not be asked again
    // Whether another run of the workspace has its verdict: what a node still has of it is nobody's.
    std::function<bool(const std::string& runId)> isOver = [](const std::string&) { return false; };
};

// What a run that ended leaves beside its state.
struct RunRemains {
    Json facts = Json::object();
    NodeVersions versions{};
    std::optional<Error> brokenJournal{};  // the run ended, but the workspace cannot be written to
};

// Takes the phase and the alerts that a run has from now on.
using PublishProgress = std::function<void(RunPhase phase, const std::vector<NodeAlert>& alerts)>;

class RunExecution {
public:
    // `state` is the run's, with what its own journal says; it gets the verdict in the end.
    RunExecution(RunTask task, std::vector<NodeRun> nodes, Journal journal, Control& control,
                 Settings settings, RunState& state, PublishProgress publish);

    // Always ends, and leaves nothing running unless a node cannot be reached (the verdict then says so). An
    // error: the log cannot be brought home, so there is no verdict and a resume goes on here.
    [[nodiscard]] Result<RunRemains> execute();

private:
    void note(Happening what);
    void publishProgress(RunPhase phase, std::string message = {}, const std::vector<NodeAlert>& alerts = {});

    using Step = Result<void> (RunExecution::*)(const std::stop_token&);

    [[nodiscard]] StopDecision run();
    [[nodiscard]] Result<void> patiently(Step step, const std::stop_token& stop);
    [[nodiscard]] Result<void> claim(const std::stop_token& stop);
    [[nodiscard]] std::vector<Result<Claim>> claimAll(const std::stop_token& stop);
    void stopEarlier(const std::vector<Result<Claim>>& claims);
    void releaseClaims(const std::vector<Result<Claim>>& claims);
    void keepClaims(const std::vector<Result<Claim>>& claims);
    [[nodiscard]] Result<void> bringWorkers(const std::stop_token& stop);
    [[nodiscard]] Result<void> tryWorkers(const std::stop_token& stop);
    [[nodiscard]] Result<void> allocatePort(const std::stop_token& stop);
    [[nodiscard]] Result<void> deploy(const std::stop_token& stop);
    [[nodiscard]] Result<void> start(const std::stop_token& stop);
    [[nodiscard]] Result<void> openCopies();
    [[nodiscard]] std::optional<LogCopy> openTelemetry(std::size_t rank) const;
    [[nodiscard]] StopDecision watch();
    [[nodiscard]] bool readLogs();
    [[nodiscard]] bool answers(std::size_t rank) const;
    [[nodiscard]] std::vector<NodeAlert> findAlerts();
    [[nodiscard]] std::optional<StopDecision> checkExitCodes();
    [[nodiscard]] std::optional<StopDecision> findLostNode();
    [[nodiscard]] std::optional<StopDecision> checkTimeout() const;
    [[nodiscard]] std::chrono::milliseconds silenceOf(std::size_t rank) const;
    [[nodiscard]] Settings endSettings(std::size_t rank) const;
    [[nodiscard]] StopDecision preparationFailed(const Error& error) const;
    [[nodiscard]] std::vector<NodeEnd> finish();
    void adoptClaims();
    void keepVersions(const std::vector<NodeEnd>& ends);
    [[nodiscard]] NodeEnd finishNode(NodeRun& node, std::size_t rank,
                                     const Result<std::vector<std::string>>& left);
    [[nodiscard]] Json factsOf(const std::vector<NodeEnd>& ends, const analysis::RunFigure& figure) const;

    RunTask task_;
    std::vector<NodeRun> nodes_;
    Journal journal_;
    Control& control_;
    Settings settings_;
    RunState& state_;
    PublishProgress publish_;
    std::vector<LogFollower> logs_;                     // by rank
    std::vector<StallDetector> stalls_;                 // by rank
    std::vector<std::optional<LogCopy>> copies_;        // by rank; nothing where no script runs
    std::vector<std::unique_ptr<NodeWatch>> watches_;   // by rank; null where no script runs
    std::vector<std::unique_ptr<NodeKeeper>> keepers_;  // by rank; null where nothing is claimed yet
    std::chrono::steady_clock::time_point othersReachedSince_{};
    std::optional<WorkerFiles> worker_;  // once it was brought to a node
    NodeVersions versions_;
    std::vector<bool> startedBefore_;         // by rank: an earlier runner started the trainer
    std::vector<std::string> workerFolders_;  // by rank; empty where none was brought
    std::optional<Error> brokenJournal_;
    std::optional<Error> leftOpen_;
};

}  // namespace dlperf::run
