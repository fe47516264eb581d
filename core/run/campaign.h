// SPDX-License-Identifier: Apache-2.0
// One execution of a plan, as files in W/campaigns/<id>/: what it is (plan.json, cluster.json, recipes/,
// campaign.json; written once, before anything runs) and what has happened (journal.jsonl).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/launch/prepare.h"
#include "core/run/journal.h"
#include "core/run/settings.h"
#include "core/store/workspace.h"

namespace dlperf::run {

// What is needed to prepare the runs again: the plan, the cluster and the recipes as they were.
struct CampaignInputs {
    launch::Plan plan;
    cluster::Cluster cluster;
    launch::RecipeBook recipes;
    std::vector<RunFinding> warnings{};  // of the checks before it began
};

[[nodiscard]] std::filesystem::path campaignFolder(const store::Workspace& workspace, const std::string& id);
[[nodiscard]] std::filesystem::path journalFile(const store::Workspace& workspace, const std::string& id);

// How many figures of each case the workspace's own runs have, over the plan's range.
using FigureCounts = std::map<Case, int>;
[[nodiscard]] Result<FigureCounts> countFigures(const store::Workspace& workspace,
                                                const launch::PreparedPlan& prepared);
// Whether there are as many of each case as the plan has repetitions: nothing is missing.
[[nodiscard]] bool hasAllFigures(const FigureCounts& there, const launch::PreparedPlan& prepared);

// Settles id and repetition numbers and writes the files. Leaves out as many repetitions of each case as
// figures are `there`. `completes`: see completionOf().
[[nodiscard]] Result<Campaign> createCampaign(const store::Workspace& workspace, const CampaignInputs& inputs,
                                              const launch::PreparedPlan& prepared, const Settings& settings,
                                              const FigureCounts& there = {},
                                              const std::string& completes = {});

[[nodiscard]] Result<Campaign> readCampaign(const store::Workspace& workspace, const std::string& id);
// Brings a campaign that was just created or read to where its journal says it stands.
[[nodiscard]] Result<void> replayJournal(const store::Workspace& workspace, Campaign& campaign);
// The same for who goes on with the campaign. An Input error when its journal is damaged, or knows less than
// the runs' folders: going on would run again what has run.
[[nodiscard]] Result<void> replaySoundJournal(const store::Workspace& workspace, Campaign& campaign);
// An Input error when a run that has not ended has a folder that its journal does not know: the campaign
// cannot be resumed.
[[nodiscard]] Result<void> checkFolders(const store::Workspace& workspace, const Campaign& campaign);
[[nodiscard]] Result<CampaignInputs> readInputs(const store::Workspace& workspace, const std::string& id);
// Ids of all campaigns, oldest first; a folder without campaign.json was never begun and is none.
[[nodiscard]] std::vector<std::string> campaignIds(const store::Workspace& workspace);

// True for a run that has its verdict, also for earlier attempts at one that was retried; for one that is not
// known, false.
[[nodiscard]] bool isOver(const Campaign& campaign, const std::string& runId);
[[nodiscard]] bool isOver(const store::Workspace& workspace, const std::string& runId);

}  // namespace dlperf::run
