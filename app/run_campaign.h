// SPDX-License-Identifier: Apache-2.0
// The runner's process: takes the workspace, works, tells how it ended. The calls of `dlperf run`, `dlperf
// resume` and `dlperf retry`.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "app/run_inputs.h"
#include "core/remote/transport.h"
#include "core/run/settings.h"
#include "core/store/workspace.h"

namespace dlperf::app {

struct RunnerOptions {
    bool detached = false;    // SIGHUP is none of its business
    bool missing = false;     // run only what the workspace has no figure for
    run::Settings settings;   // but for the rules
    std::string title{};      // told of the campaign's one run as it goes; empty: each run's case
    bool printsTable = true;  // of throughput, at the end
    bool onlyCloses = false;  // nothing is to run: a campaign that was left is cancelled
    remote::TransportFactory transports = remote::openTransport;
    // Called once the workspace is taken and the campaign stands in it, with its id, before anything runs.
    std::function<void(const std::string&)> begun;
    // Called with who asked for the end ("SIGTERM"), at the end of a campaign that was started: also where
    // that came too late to stop a run.
    std::function<void(const std::string&)> cancelled{};
};

// Exit code: 0 when every run ended ok, or as a trial of a search that found its answer; else 1.
[[nodiscard]] Result<int> startCampaign(const store::Workspace& workspace, const Inputs& inputs,
                                        const RunnerOptions& options);
// Goes on with every campaign that is not finished, oldest first. 0 too when there is none. Tells of one that
// cannot be resumed, goes on with the next, and returns 1.
[[nodiscard]] Result<int> resumeCampaigns(const store::Workspace& workspace, const RunnerOptions& options);
// The same, and what the newest campaign has no figure for is queued once more before.
[[nodiscard]] Result<int> resumeAndRetry(const store::Workspace& workspace, const RunnerOptions& options);

// Queues runs of a campaign, as run::isCalled() names them, once more (see run::retryRuns) and goes on with
// it; without a campaign's id, the newest.
[[nodiscard]] Result<int> retryCampaign(const store::Workspace& workspace, std::string id,
                                        const std::set<std::string>& runs, const RunnerOptions& options);

}  // namespace dlperf::app
