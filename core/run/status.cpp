// SPDX-License-Identifier: Apache-2.0
#include "core/run/status.h"

#include "core/run/campaign_state.h"
#include "core/run/lock.h"

namespace dlperf::run {
namespace {

RunStatus statusOf(const CampaignRun& planned, const RunProgress& progress,
                   const store::Workspace& workspace) {
    const RunResult& plan = planned.record.result;
    RunStatus status;
    status.id = plan.id;
    status.benchmarkCase = plan.benchmarkCase;
    status.recipeTitle = planned.record.recipeTitle;
    status.format = plan.format;
    status.unit = plan.unit;
    status.window = plan.window;
    status.repetition = progress.repetition > 0 ? progress.repetition : plan.repetition;
    status.state = progress.state;
    status.outcome = progress.outcome;
    status.reason = progress.reason;
    status.throughput = progress.throughput;
    status.nodes = planned.nodes;
    if (!progress.folder.empty()) {
        std::error_code error;
        const auto settled = workspace.root() / progress.folder;
        const bool moved = !progress.ending || std::filesystem::exists(settled, error);
        status.folder = moved ? settled : workspace.root() / progress.workFolder;
    }
    status.started = progress.started;
    status.ended = progress.ended;
    return status;
}

}  // namespace

Result<std::vector<CampaignStatus>> readStatus(const store::Workspace& workspace) {
    const auto owner = readLock(workspace);
    const bool held = owner && isHeld(*owner);
    std::vector<CampaignStatus> campaigns;
    for (const std::string& id : campaignIds(workspace)) {
        const auto campaign = readCampaign(workspace, id);
        if (!campaign) {
            return Failure(campaign.error());
        }
        const auto state =
            foldJournal(readJournal(campaignFolder(workspace, id) / "journal.jsonl"), campaign->runs.size());
        CampaignStatus status;
        status.id = id;
        status.plan = campaign->plan;
        status.started = campaign->started;
        status.runnerAlive = held && owner->campaign == id;
        status.paused = state.paused;
        status.finished = state.finished();
        for (std::size_t i = 0; i < campaign->runs.size(); ++i) {
            status.runs.push_back(statusOf(campaign->runs[i], state.runs[i], workspace));
        }
        campaigns.push_back(std::move(status));
    }
    return campaigns;
}

}  // namespace dlperf::run
