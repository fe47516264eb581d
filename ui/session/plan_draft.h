// SPDX-License-Identifier: Apache-2.0
// The plan on the Launch page: read from a file, perhaps changed, and what it comes to on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/launch/prepare.h"
#include "core/store/workspace.h"

namespace dlperf::ui {

struct PlanDraft {
    std::string bytes;      // of the file as it was read: what was looked at
    launch::Plan original;  // as the file has it
    launch::Plan plan;      // as it will run
    bool changed = false;
    cluster::Cluster cluster;
    launch::RecipeBook recipes;
    launch::PreparedPlan prepared;
};

[[nodiscard]] Result<PlanDraft> readDraft(const std::filesystem::path& file,
                                          const std::filesystem::path& resources,
                                          const Vocabulary& vocabulary, const cluster::Cluster& cluster);

// After a change of draft.plan.
[[nodiscard]] Result<void> prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary);

// The file to start: a new one in W/plans/ with what the page shows. The file that was opened may say
// something else by now.
[[nodiscard]] Result<std::filesystem::path> fileToStart(const PlanDraft& draft,
                                                        const store::Workspace& workspace);

// How long the case may take, from the finished runs of the workspace: the same case, else the same one on
// another topology; nothing without any.
[[nodiscard]] std::optional<std::chrono::seconds> expectedDuration(const Case& benchmarkCase,
                                                                   const std::vector<RunResult>& results);

}  // namespace dlperf::ui
