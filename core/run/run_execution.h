// SPDX-License-Identifier: Apache-2.0
// One run from claim to verdict, on all its nodes. The same code takes up a run of a runner that was killed:
// what its journal says is done is not done again, and every step on a node may be repeated.
#pragma once

#include "core/run/control.h"
#include "core/run/log_feed.h"
#include "core/run/node_keeper.h"
#include "core/run/node_pulse.h"
#include "core/run/node_watch.h"
#include "core/run/progress.h"
#include "core/run/run_memory.h"
#include "core/run/settings.h"
#include "core/run/versions.h"
#include "core/run/worker_copy.h"

namespace dlperf::run {

struct RunTask {
    std::string id;  // "<campaign>/0007"
    launch::PlannedRun planned;
    int repetition = 1;            // the number it has in the workspace
    std::filesystem::path folder;  // the run's folder in the workspace; exists
    int timeoutSeconds = 3600;
    NodeVersions versions{};  // of nodes that need not be asked again
    // Whether another run of the workspace has its verdict: what a node still has of it is nobody's.
    std::function<bool(const std::string& runId)> isOver = [](const std::string&) { return false; };
};

struct RunEnd {
    Verdict verdict;
    std::optional<double> throughput;  // of an ok run
    std::optional<TimePoint> started;
    std::optional<TimePoint> ended;
    Json facts = Json::object();
    NodeVersions versions;
    std::optional<Error> brokenJournal;  // the run ended, but the workspace cannot be written to
    std::optional<Error> leftOpen;       // its log cannot be brought home: no verdict, a resume goes on here
};

class RunExecution {
public:
    RunExecution(RunTask task, std::vector<NodeRun> nodes, Journal journal, Control& control,
                 Settings settings, Progress progress, Observer observer);

    // Always ends, and leaves nothing running unless a node cannot be reached (the verdict then says so).
    [[nodiscard]] RunEnd execute();

private:
    void note(Json event);
    void tell(RunState state, std::string message = {});
    [[nodiscard]] std::filesystem::path localLog(std::size_t rank) const;

    using Step = Result<void> (RunExecution::*)(const std::stop_token&);

    [[nodiscard]] End run();
    [[nodiscard]] Result<void> patiently(Step step, const std::stop_token& stop);
    [[nodiscard]] Result<void> claim(const std::stop_token& stop);
    [[nodiscard]] std::vector<Result<Claim>> claimAll(const std::stop_token& stop);
    void stopEarlier(const std::vector<Result<Claim>>& claims);
    void releaseClaims(const std::vector<Result<Claim>>& claims);
    void keepClaims(const std::vector<Result<Claim>>& claims);
    [[nodiscard]] Result<void> bringWorkers(const std::stop_token& stop);
    [[nodiscard]] Result<void> tryWorkers(const std::stop_token& stop);
    [[nodiscard]] Result<void> settlePort(const std::stop_token& stop);
    [[nodiscard]] Result<void> place(const std::stop_token& stop);
    [[nodiscard]] Result<void> start(const std::stop_token& stop);
    [[nodiscard]] Result<void> openCopies();
    [[nodiscard]] std::optional<LogCopy> openTelemetry(std::size_t rank) const;
    [[nodiscard]] End watch();
    [[nodiscard]] bool readLogs();
    [[nodiscard]] bool answers(std::size_t rank) const;
    [[nodiscard]] std::vector<NodeTrouble> lookForTroubles();
    [[nodiscard]] std::optional<End> lookAtNodes();
    [[nodiscard]] std::optional<End> lookForLost();
    [[nodiscard]] std::optional<End> lookAtClock() const;
    [[nodiscard]] std::chrono::milliseconds silenceOf(std::size_t rank) const;
    [[nodiscard]] Settings endSettings(std::size_t rank) const;
    [[nodiscard]] End preparationFailed(const Error& error) const;
    [[nodiscard]] std::vector<NodeEnd> finish();
    void adoptClaims();
    void keepVersions(const std::vector<NodeEnd>& ends);
    [[nodiscard]] NodeEnd finishNode(NodeRun& node, std::size_t rank,
                                     const Result<std::vector<std::string>>& left);
    [[nodiscard]] Json factsOf(const std::vector<NodeEnd>& ends, const analysis::RunFigure& figure) const;

    RunTask task_;
    std::vector<NodeRun> nodes_;
    Journal journal_;
    RunMemory memory_;
    Control& control_;
    Settings settings_;
    Progress progress_;
    Observer observer_;
    std::vector<LogFeed> feeds_;                        // by rank
    std::vector<NodePulse> pulses_;                     // by rank
    std::vector<std::optional<LogCopy>> copies_;        // by rank; nothing where no script runs
    std::vector<std::unique_ptr<NodeWatch>> watches_;   // by rank; null where no script runs
    std::vector<std::unique_ptr<NodeKeeper>> keepers_;  // by rank; null where nothing is claimed yet
    std::chrono::steady_clock::time_point othersReachedSince_{};
    std::optional<WorkerFiles> worker_;  // once it was brought to a node
    NodeVersions versions_;
    std::vector<std::string> workerFolders_;  // by rank; empty where none was brought
    std::optional<Error> brokenJournal_;
    std::optional<Error> leftOpen_;
};

}  // namespace dlperf::run
