// SPDX-License-Identifier: Apache-2.0
// How far a campaign is: the fold of its journal.
#pragma once

#include "core/run/campaign.h"

namespace dlperf::run {

struct RunProgress {
    RunState state = RunState::Queued;
    bool ending = false;   // the verdict is in the journal; log name or folder may still have to be settled
    bool leftOut = false;  // asked for, before it began
    int repetition = 0;    // 0 until the run began
    std::string folder;  // relative to the workspace; empty until the run began. While ending, the final one
    std::string workFolder;  // the one it ran in
    Outcome outcome = Outcome::NotRun;
    std::string reason;
    std::optional<double> throughput;
    std::optional<TimePoint> started;
    std::optional<TimePoint> ended;
    std::vector<NodeTrouble> troubles;  // while it runs
};

struct CampaignState {
    std::vector<RunProgress> runs;  // by number
    bool paused = false;
    bool finished() const;
};

[[nodiscard]] CampaignState foldJournal(const std::vector<Json>& events, std::size_t runs);

// True for a run of any campaign of the workspace that has its verdict; for one that is not known, false.
[[nodiscard]] bool isOver(const store::Workspace& workspace, const std::string& runId);

// Events. `run` counts from 0.
[[nodiscard]] Json beganEvent(std::size_t run, int repetition, const std::string& folder);
[[nodiscard]] Json stateEvent(std::size_t run, RunState state);
// All there are from now on.
[[nodiscard]] Json troublesEvent(std::size_t run, const std::vector<NodeTrouble>& troubles);
// "ending" before the folder gets its final name, "ended" after.
[[nodiscard]] Json verdictEvent(const char* word, std::size_t run, const RunResult& result);

}  // namespace dlperf::run
