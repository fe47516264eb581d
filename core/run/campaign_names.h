// SPDX-License-Identifier: Apache-2.0
// What people call campaigns before they give them names of their own.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/run_state.h"
#include "core/store/workspace.h"

namespace dlperf::run {

// By id: when it began, its plan, and what sets it apart from others of the same plan, as in
// "2026-11-23 06:15, ResNet50, batch 32, image_size 64". No two have the same name.
[[nodiscard]] std::map<std::string, std::string> campaignNames(const std::vector<Campaign>& campaigns);

// The same, but those that people named have these names.
[[nodiscard]] std::map<std::string, std::string> campaignNames(const store::Workspace& workspace,
                                                               const std::vector<Campaign>& campaigns);

// The campaigns that only results tell of, as imports: by the titles that their names have.
void nameOthers(std::map<std::string, std::string>& names, std::span<const RunResult> results);

// By its name among these; one that has none is called by when it began.
[[nodiscard]] std::string campaignName(const std::map<std::string, std::string>& names,
                                       const std::string& id);

// The last one of the same plan that began before it, or before what it completes; empty where there is none,
// or it is not among these. One that was deleted is still there where another completes it.
[[nodiscard]] std::string campaignBefore(const std::vector<Campaign>& campaigns, const std::string& id);

// What a comparison of before and after begins with: the last campaign or import with figures that shares a
// case with one before it, of its own plan where there is one, and that one. Empty ids where no two share
// one.
struct CampaignPair {
    std::string before;
    std::string after;
};
[[nodiscard]] CampaignPair lastTwo(const std::vector<Campaign>& campaigns,
                                   std::span<const RunResult> results);

// "night has not ended: 3 of 40 runs are to come", of one that goes on or was left.
[[nodiscard]] std::string toComeText(const Campaign& campaign, const std::string& name);
// So of each campaign that any of the results is of.
[[nodiscard]] std::vector<std::string> toComeTexts(const std::vector<Campaign>& campaigns,
                                                   const std::map<std::string, std::string>& names,
                                                   std::span<const RunResult> results);

// The id of the campaign that a person means among these, which have their names by id: the one of that id or
// name, or the only one whose plan is called so or whose id begins so. Imports have no plan: only their names
// are there. An Input error that says which there are where none is meant, or several.
[[nodiscard]] Result<std::string> campaignMeant(const std::string& wanted,
                                                const std::map<std::string, std::string>& names,
                                                const std::vector<Campaign>& campaigns,
                                                const std::string& where);

}  // namespace dlperf::run
