// SPDX-License-Identifier: Apache-2.0
// Workspaces of any size, as the runner would have left them: real campaigns, journals, run folders, logs and
// notes. Everything is the same at every call but for campaign ids.
#pragma once

#include <filesystem>
#include <optional>

#include "core/run/campaign.h"
#include "core/run/lock.h"
#include "core/store/workspace.h"

namespace dlperf::test {

// `count` finished runs of 2,000 cases (from 10,000 on: 5 repetitions each), a few of them without a figure.
[[nodiscard]] Result<void> makeResults(const store::Workspace& workspace, int count);

// One campaign of dlperf-worker with this many runs: six of ten have ended (ok, failed, out of memory), one
// is running and has a log, the others wait. Some are excluded, some are to be skipped.
[[nodiscard]] Result<run::Campaign> makeCampaign(const store::Workspace& workspace, int runs);

// A plan that ran twice, 8 cases with 7 repetitions each. After, one case is 3 % slower, one 2 % faster, one
// runs out of memory; the others differ by noise. Versions and variables changed as well.
[[nodiscard]] Result<void> makeTwoNights(const store::Workspace& workspace);

// As long as it lives, a runner seems to work on the campaign: this process.
[[nodiscard]] Result<run::WorkspaceLock> seemToRun(const store::Workspace& workspace,
                                                   const run::Campaign& campaign);

// Nodes node001, node002, … with 8 devices each; a file that `--cluster` reads.
[[nodiscard]] Result<void> makeCluster(const std::filesystem::path& file, int nodes);

// Damages a workspace: a campaign whose plan and head are torn, a run folder without a readable run.json, a
// note that is none.
[[nodiscard]] Result<void> breakWorkspace(const store::Workspace& workspace);

}  // namespace dlperf::test
