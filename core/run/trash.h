// SPDX-License-Identifier: Apache-2.0
// Campaigns, imports and runs that the user deletes. Their files are moved to W/trash/, a folder for each
// deletion, from where they can be put back: W/trash/20261129-181500/deleted.json says what was deleted and
// which paths were moved; each lies below that folder as it lay below the workspace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/run_state.h"
#include "core/store/workspace.h"

namespace dlperf::run {

struct Unwanted {
    std::set<std::string> campaigns{};  // with all their runs, and imports; by id
    std::set<std::string> runs{};       // with their earlier attempts
};

struct Deletion {
    std::string name{};  // of its folder below W/trash
    TimePoint time{};
    std::vector<std::string> campaigns{};        // that it holds whole
    std::vector<std::string> runs{};             // ids of all runs it holds, also of those campaigns
    std::vector<std::string> marked{};           // of these, which a campaign that stays calls deleted
    std::vector<std::filesystem::path> moved{};  // relative to the workspace
};

// A campaign's folder, and its runs with their logs and the user's notes on them. What several campaigns
// share stays. All runs of a campaign are the campaign. A Work error where a runner works on it, or something
// cannot be moved; an Input error where nothing is there, or a run cannot go alone: nothing was moved then.
[[nodiscard]] Result<Deletion> moveToTrash(const store::Workspace& workspace, Unwanted unwanted);
// A Work error where something else has taken a place meanwhile: all stays in the trash then.
[[nodiscard]] Result<Deletion> putBack(const store::Workspace& workspace, const std::string& name);

struct Trash {
    std::vector<Deletion> deletions;  // the newest last
    std::vector<Error> problems;      // a deletion that cannot be read is missing above
    std::uintmax_t bytes = 0;         // that emptyTrash() frees
};
[[nodiscard]] Trash readTrash(const store::Workspace& workspace);
// For good. What stands in W/trash and is no deletion stays.
[[nodiscard]] Result<void> emptyTrash(const store::Workspace& workspace);

}  // namespace dlperf::run
