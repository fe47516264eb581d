// SPDX-License-Identifier: Apache-2.0
// The plan on the Launch page: read from a file, perhaps changed, and what it comes to on this machine.
#pragma once

#include <QString>
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
    std::optional<Error> problem;  // why the plan as it stands cannot run at all
};

[[nodiscard]] Result<PlanDraft> readDraft(const std::filesystem::path& file,
                                          const std::filesystem::path& resources,
                                          const Vocabulary& vocabulary, const cluster::Cluster& cluster);

// After a change of draft.plan or draft.cluster: a plan that cannot run has a problem and no runs.
void prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary);

// The files to start: new ones in W/plans/started/ with what the page shows. What was opened may say
// something else by now.
struct FilesToStart {
    std::filesystem::path plan;
    std::filesystem::path cluster;
};
[[nodiscard]] Result<FilesToStart> filesToStart(const PlanDraft& draft, const store::Workspace& workspace);
[[nodiscard]] Result<void> savePlan(const launch::Plan& plan, const std::filesystem::path& file);

// "dlperf-worker +dali"
[[nodiscard]] QString recipeText(const Subject& subject);

}  // namespace dlperf::ui
