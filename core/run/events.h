// SPDX-License-Identifier: Apache-2.0
// What happens to a campaign and to its runs. Each event is one line of a journal; replaying a journal's
// events gives the state (run_state.h).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/run/run_state.h"

namespace dlperf::run {

struct Verdict {
    Outcome outcome = Outcome::Failed;
    std::string reason;
};

namespace event {

// In a campaign's journal, about one of its runs.
struct Began {
    int repetition = 0;
    std::string folder;
};
struct PhaseReached {
    RunPhase phase = RunPhase::Preparing;
};
struct AlertsChanged {
    std::vector<NodeAlert> alerts;  // all there are from now on
};
// A job was submitted for the run's nodes, or is the campaign's.
struct JobSubmitted {
    SlurmPlace slurm;
};
// The job is in the queue; what it waits for, in a sentence.
struct QueueReached {
    std::string message;
};
// The scheduler gave these nodes; names, by rank.
struct NodesGiven {
    std::vector<std::string> nodes;
};
struct SkipChanged {
    bool skipped = false;
};
// Its files were moved to the trash, or back: see trash.h.
struct DeletedChanged {
    bool deleted = false;
};
// A run that ended is queued once more, under the id of its next attempt.
struct Retried {};
// A run is added at the end of the campaign: as this one was planned, with other settings. See trials.h.
struct Added {
    int batchSize = 0;
    int repetition = 0;
    std::optional<Variant> variant{};  // else that of the run it is like
};
// The workspace had a figure for it when the campaign began, and only what is missing was asked for.
struct AlreadyThere {};
struct Ended {
    bool named = false;  // log name and folder are the final ones by now
    Verdict verdict;
    std::string folder;
    std::optional<double> throughput;
    std::optional<TimePoint> startTime;
    std::optional<TimePoint> endTime;
    std::optional<double> memoryMb{};  // MiB of the fullest GPU, or of the largest process
};
// In a campaign's journal, about all of it.
struct PauseChanged {
    bool paused = false;
};
// In a run's own journal; nodes by rank.
struct ClaimBegan {};
struct Claimed {
    std::size_t node = 0;
    NodeClaim claim;
};
// Of a check that could be made only with the nodes at hand.
struct Warned {
    RunFinding warning;
};
struct PortAllocated {
    int port = 0;
};
struct StartBegan {};
struct Started {
    std::size_t node = 0;
    Identity identity;
};
struct Stopped {};
struct Judged {
    Verdict verdict;
};

}  // namespace event

using Happening =
    std::variant<event::Began, event::JobSubmitted, event::QueueReached, event::NodesGiven,
                 event::PhaseReached, event::AlertsChanged, event::SkipChanged, event::DeletedChanged,
                 event::Retried, event::AlreadyThere, event::Added, event::Ended, event::PauseChanged,
                 event::ClaimBegan, event::Claimed, event::Warned, event::PortAllocated, event::StartBegan,
                 event::Started, StopDecision, event::Stopped, event::Judged>;

struct Event {
    Happening what;
    std::optional<std::size_t> run{};  // of the campaign, from 0; a run's own journal has none
    TimePoint time = now();
};

[[nodiscard]] Json toJson(const Event& event);
// Nothing for an event of a kind that this version does not know. An error names what is wrong.
[[nodiscard]] Result<std::optional<Event>> eventFromJson(const Json& json, const std::string& where);

void apply(RunState& state, const Event& event);
void apply(Campaign& campaign, const Event& event);

// The event that says how the run ended.
[[nodiscard]] event::Ended endOf(const RunState& run, bool named);

}  // namespace dlperf::run
