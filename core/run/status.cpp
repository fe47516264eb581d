// SPDX-License-Identifier: Apache-2.0
#include "core/run/status.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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
    status.leftOut = progress.leftOut && progress.state == RunState::Queued;
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
    status.troubles = progress.troubles;
    return status;
}

CampaignStatus statusOf(const Campaign& campaign, const CampaignState& state,
                        const store::Workspace& workspace) {
    CampaignStatus status;
    status.id = campaign.id;
    status.plan = campaign.plan;
    status.started = campaign.started;
    status.paused = state.paused;
    status.finished = state.finished();
    for (std::size_t i = 0; i < campaign.runs.size(); ++i) {
        status.runs.push_back(statusOf(campaign.runs[i], state.runs[i], workspace));
    }
    return status;
}

}  // namespace

struct StatusReader::Known {
    std::optional<store::FileStamp> campaignStamp;
    std::optional<store::FileStamp> journalStamp;
    Campaign campaign;
    CampaignStatus status;
    bool settled = false;  // nothing in it depends on more than these two files
};

Result<std::shared_ptr<StatusReader::Known>> StatusReader::look(const std::string& id) {
    const auto folder = campaignFolder(workspace_, id);
    const auto journal = folder / "journal.jsonl";
    // Stamps before contents: what is written in between is read again at the next look.
    const auto campaignStamp = store::stampOf(folder / "campaign.json");
    const auto journalStamp = store::stampOf(journal);
    const auto before = known_.find(id);
    auto known = before == known_.end() ? std::make_shared<Known>() : before->second;
    const bool same = campaignStamp && known->campaignStamp == campaignStamp;
    if (same && known->settled && known->journalStamp == journalStamp) {
        return known;
    }
    if (!same) {
        auto campaign = readCampaign(workspace_, id);
        if (!campaign) {
            return Failure(campaign.error());
        }
        known->campaign = std::move(*campaign);
        known->campaignStamp = campaignStamp;
    }
    if (journalStamp && ::access(journal.c_str(), R_OK) != 0) {
        return fail(std::string("cannot be read: ") + std::strerror(errno), journal.string(),
                    "Check its permissions.", ErrorKind::Work);
    }
    const auto state = foldJournal(readJournal(journal), known->campaign.runs.size());
    known->journalStamp = journalStamp;
    known->status = statusOf(known->campaign, state, workspace_);
    known->settled =
        std::none_of(state.runs.begin(), state.runs.end(), [](const RunProgress& run) { return run.ending; });
    return known;
}

// Those that the user changed; while their file cannot be read, runs have the windows that they were run
// with.
void StatusReader::applyWindows(WorkspaceStatus& status) {
    const auto stamp = store::stampOf(workspace_.windows());
    if (stamp != windowsStamp_) {
        windowsStamp_ = stamp;
        auto windows = store::readWindows(workspace_);
        windows_ = windows ? *std::move(windows) : store::ChangedWindows();
    }
    if (windows_.empty()) {
        return;
    }
    for (CampaignStatus& campaign : status.campaigns) {
        for (RunStatus& run : campaign.runs) {
            if (run.state == RunState::Finished) {
                store::applyWindow(windows_, run);
            }
        }
    }
}

WorkspaceStatus StatusReader::read() {
    const auto owner = readLock(workspace_);
    const bool held = owner && isHeld(*owner);
    WorkspaceStatus status;
    Campaigns present;
    for (const std::string& id : campaignIds(workspace_)) {
        const auto known = look(id);
        if (!known) {
            status.problems.push_back(known.error());
            continue;
        }
        present[id] = *known;
        status.campaigns.push_back((*known)->status);
        CampaignStatus& campaign = status.campaigns.back();
        campaign.runnerAlive = held && owner->campaign == id;
        for (RunStatus& run : campaign.runs) {
            if (!campaign.runnerAlive) {  // nobody has looked since
                run.troubles.clear();
            }
        }
    }
    known_ = std::move(present);
    applyWindows(status);
    return status;
}

WorkspaceStatus readStatus(const store::Workspace& workspace) {
    return StatusReader(workspace).read();
}

}  // namespace dlperf::run
