// SPDX-License-Identifier: Apache-2.0
// One execution of a plan, as files in W/campaigns/<id>/: what it is (plan.json, cluster.json, recipes/,
// campaign.json; written once, before anything runs) and what has happened (journal.jsonl).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/launch/prepare.h"
#include "core/run/journal.h"
#include "core/run/settings.h"
#include "core/run/status.h"
#include "core/store/run_record.h"
#include "core/store/workspace.h"

namespace dlperf::run {

struct CampaignRun {
    store::RunRecord record;  // as it is planned: no outcome, no figure, no folder yet
    std::vector<std::string> nodes;
};

struct Campaign {
    std::string id;  // "20261121-081530-3fa2": sorts by time
    std::string plan;
    TimePoint started{};
    std::chrono::milliseconds grace{};
    std::chrono::milliseconds lostAfter{};
    std::vector<CampaignRun> runs;
};

// What is needed to prepare the runs again: the plan, the cluster and the recipes as they were.
struct CampaignInputs {
    launch::Plan plan;
    cluster::Cluster cluster;
    launch::RecipeBook recipes;
};

[[nodiscard]] std::filesystem::path campaignFolder(const store::Workspace& workspace, const std::string& id);

// Settles id and repetition numbers and writes the files.
[[nodiscard]] Result<Campaign> createCampaign(const store::Workspace& workspace, const CampaignInputs& inputs,
                                              const launch::PreparedPlan& prepared, const Settings& settings);
[[nodiscard]] Result<Campaign> readCampaign(const store::Workspace& workspace, const std::string& id);
[[nodiscard]] Result<CampaignInputs> readInputs(const store::Workspace& workspace, const std::string& id);
// Ids of all campaigns, oldest first; a folder without campaign.json was never begun and is none.
[[nodiscard]] std::vector<std::string> campaignIds(const store::Workspace& workspace);

}  // namespace dlperf::run
