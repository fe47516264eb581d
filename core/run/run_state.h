// SPDX-License-Identifier: Apache-2.0
// Where a run and its campaign stand: the fold of their journals (see events.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/launch/repeat_until.h"
#include "core/launch/search.h"
#include "core/model/case.h"
#include "core/run/identity.h"
#include "core/run/node_alert.h"

namespace dlperf::run {

// InQueue: a scheduler has been asked for nodes, and has not given them yet.
enum class RunPhase { Queued, InQueue, Preparing, Running, Stopping, Finished };

[[nodiscard]] const char* toString(RunPhase phase);
[[nodiscard]] std::optional<RunPhase> parseRunPhase(const std::string& text);

enum class StopCause { TrainerEnded, Measured, Failed, TimedOut, Cancelled, OutOfMemory };

[[nodiscard]] const char* toString(StopCause cause);
[[nodiscard]] std::optional<StopCause> parseStopCause(const std::string& text);

// Why the runner ends a run.
struct StopDecision {
    StopCause cause = StopCause::TrainerEnded;
    std::string reason;  // one sentence; empty for TrainerEnded and Measured
    std::string node{};  // whose trainer failed: its log explains more; else empty
};

// A node that a run has taken.
struct NodeClaim {
    std::string home;                       // the node's home folder
    std::string folder;                     // the run's folder on the node, absolute
    std::vector<std::string> gpuProcesses;  // that were there before
};

// The Slurm job that a run's nodes come from.
struct SlurmPlace {
    std::string job;     // its number
    std::string folder;  // the job's, on the shared file system
};

// A run's result as far as it is known, and how it gets there. `folder` is the final one, empty until the run
// began; so long `repetition` is what the plan wants.
struct RunState : RunResult {
    // It has begun, if only to wait in a scheduler's queue, and has not ended.
    [[nodiscard]] bool isActive() const { return phase != RunPhase::Queued && phase != RunPhase::Finished; }

    std::string recipeTitle;
    std::vector<std::string> nodes;  // names, by rank
    RunPhase phase = RunPhase::Queued;
    bool settling = false;          // the outcome is known; log name or folder may not be the final ones yet
    bool skipped = false;           // asked for before the run began: its turn passes
    bool deleted = false;           // its files are in the trash: a status leaves it out
    std::string workFolder;         // that it ran in, relative to the workspace
    std::filesystem::path path;     // absolute, where its files are now; empty until the run began
    std::vector<NodeAlert> alerts;  // while it runs and its runner lives
    std::vector<Disturbance> disturbances;
    std::optional<Outcome> originalOutcome;    // in originalRange
    std::optional<double> originalThroughput;  // the same

    bool alreadyThere = false;  // not run, for the workspace had its figure

    std::optional<SlurmPlace> slurm;  // with that scheduler, once a job was submitted

    // From the run's own journal.
    std::map<std::size_t, NodeClaim> claims;  // by rank
    std::vector<RunFinding> warnings;         // of checks that could be made only then
    std::optional<int> masterPort;
    std::optional<TimePoint> startBegan;       // trainers may run from here on
    std::map<std::size_t, Identity> trainers;  // by rank
    std::optional<StopDecision> stop;

    // Only its runner knows these; no journal has them.
    std::int64_t iteration = 0;             // the last one seen
    std::optional<double> speed;            // at that iteration
    std::optional<TimePoint> rangeBegan;    // the last iteration of the warmup was seen
    std::optional<TimePoint> rangeReached;  // the last one of the range was seen
    bool endedByCluster = false;            // that took or lost a node: of the next run that tells nothing
    std::string message;                    // not empty: something to tell, e.g. that a node is not reached
    std::vector<diagnosis::Hint> hints;     // once finished: what went wrong, and what helps

    const RunResult& result() const { return *this; }
    RunResult& result() { return *this; }
};

// One execution of a plan. As createCampaign() and readCampaign() give it, every run is queued.
struct Campaign {
    std::string id;    // "20261121-081530-3fa2": sorts by time
    std::string plan;  // the plan's name
    std::optional<TimePoint> started;
    std::chrono::milliseconds grace{};
    std::chrono::milliseconds lostAfter{};
    std::chrono::milliseconds lease{};
    bool keepNodeFiles = false;
    // The plan's: by these the campaign adds runs to itself, see trials.h.
    std::optional<launch::Search> search;
    std::optional<launch::RepeatUntil> until;
    std::vector<RunFinding> warnings;  // of the checks before it began
    std::vector<RunState> runs;        // in execution order
    bool paused = false;               // no new run is started until the pause request goes
    bool runnerAlive = false;          // a runner process works on it now; StatusReader fills it in
    std::string runnerHost;  // of a runner on another host: there it cannot be checked whether it lives
    std::string lastWords;   // why the runner ended before its runs, if it could say; the same
    std::optional<Error> lostJournal{};  // why it cannot be resumed, see checkFolders(); the same

    bool finished() const;  // every run is, and none is to come; else and without a runner: `dlperf resume`
                            // goes on
    bool isAnswer(const RunState& run) const;  // memory that ran out is what its search wants to know
    // The id that its figures' series are called by: of the first campaign that it completes, or its own.
    std::string seriesCampaign() const;
    bool endedWell() const;                   // so, and each run ok or the answer of a search that found one
    std::map<Outcome, int> outcomes() const;  // of the runs that ended
};

// Whether a person means the run "2026-…/0002.3": its name may leave out the attempt, and all before the
// number and its zeros.
[[nodiscard]] bool isCalled(const std::string& runId, const std::string& name);
// The run of that name in the newest campaign that has one, of these with the newest last; null where none
// has.
[[nodiscard]] const RunState* runCalled(const std::vector<Campaign>& campaigns, const std::string& name);

}  // namespace dlperf::run
