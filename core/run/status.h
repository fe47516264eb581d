// SPDX-License-Identifier: Apache-2.0
// What runs: read from the workspace's files alone, so that the window, `dlperf status` and a second person
// see the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/run/node_trouble.h"
#include "core/store/file_stamp.h"
#include "core/store/windows.h"
#include "core/store/workspace.h"

namespace dlperf::run {

enum class RunState { Queued, Preparing, Running, Stopping, Finished };

[[nodiscard]] const char* toString(RunState state);

struct RunStatus {
    std::string id;  // "<campaign>/<number>", also DLPERF_RUN_ID
    Case benchmarkCase;
    std::string recipeTitle;
    std::string format;
    std::string unit;
    Window window;
    std::optional<Window> originalWindow{};    // that it was run with, where the user changed it afterwards
    std::optional<Outcome> originalOutcome{};  // in that window
    int repetition = 0;
    RunState state = RunState::Queued;
    bool leftOut = false;               // queued, and passed by when its turn comes
    Outcome outcome = Outcome::NotRun;  // meaningful once Finished
    std::string reason;                 // why it did not end ok
    std::optional<double> throughput;   // the figure, once Finished and ok
    std::vector<std::string> nodes;     // names, by rank
    std::filesystem::path folder;       // absolute; node<k>.log of a live run stand in it
    std::optional<TimePoint> started;
    std::optional<TimePoint> ended;
    std::vector<NodeTrouble> troubles;  // while it runs and its runner lives
};

struct CampaignStatus {
    std::string id;
    std::string plan;  // the plan's name
    std::optional<TimePoint> started;
    bool runnerAlive = false;     // a runner process works on this campaign now
    bool paused = false;          // no new run is started until the pause request goes
    bool finished = false;        // every run is Finished; else and without a runner: `dlperf resume` goes on
    std::vector<RunStatus> runs;  // in execution order
};

// A campaign that cannot be read is left out and reported in `problems`.
struct WorkspaceStatus {
    std::vector<CampaignStatus> campaigns;  // newest last
    std::vector<Error> problems;
};

// For who looks again and again: reads only what changed since the last look. Never blocks on the runner.
// Used by one thread at a time.
class StatusReader {
public:
    explicit StatusReader(store::Workspace workspace) : workspace_(std::move(workspace)) {}

    [[nodiscard]] WorkspaceStatus read();

private:
    struct Known;  // a campaign as it was at the last look
    using Campaigns = std::map<std::string, std::shared_ptr<Known>>;

    [[nodiscard]] Result<std::shared_ptr<Known>> look(const std::string& id);

    void applyWindows(WorkspaceStatus& status);

    store::Workspace workspace_;
    Campaigns known_;  // by id
    std::optional<store::FileStamp> windowsStamp_;
    store::ChangedWindows windows_;  // as they were at that stamp
};

// One look.
[[nodiscard]] WorkspaceStatus readStatus(const store::Workspace& workspace);

// KeepRun takes CancelRun back, as long as the run has not begun to end.
enum class Request { Cancel, CancelRun, KeepRun, Pause, Continue };
// A file under W/requests/ that the runner picks up within a second. runId only for CancelRun and KeepRun.
[[nodiscard]] Result<void> writeRequest(const store::Workspace& workspace, Request request,
                                        const std::string& runId = {});

}  // namespace dlperf::run
