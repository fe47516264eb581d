// SPDX-License-Identifier: Apache-2.0
// The plan on the Launch page: read from a file, perhaps changed, and what it comes to on this machine.
#pragma once

#include <QString>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/launch/plan.h"
#include "core/launch/prepare.h"
#include "core/launch/recipe.h"
#include "core/model/case.h"
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
                                          const std::filesystem::path& workspace,
                                          const Vocabulary& vocabulary, const cluster::Cluster& cluster,
                                          const analysis::FormatBook& formats);

// Of a plan that no file holds yet.
[[nodiscard]] PlanDraft draftOf(const launch::Plan& plan, const std::filesystem::path& resources,
                                const std::filesystem::path& workspace, const Vocabulary& vocabulary,
                                const cluster::Cluster& cluster, const analysis::FormatBook& formats);

// After a change of draft.plan or draft.cluster: a plan that cannot run has a problem and no runs. `formats`:
// the workspace's.
void prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary, const analysis::FormatBook& formats);

// The files to start: written anew as the page shows them, since what was opened may have changed.
struct FilesToStart {
    std::filesystem::path plan;
    std::filesystem::path cluster;
};
[[nodiscard]] Result<FilesToStart> filesToStart(const PlanDraft& draft, const store::Workspace& workspace);
[[nodiscard]] Result<void> savePlan(const launch::Plan& plan, const std::filesystem::path& file);

// "dlperf-worker +dali"
[[nodiscard]] QString recipeText(const Configuration& configuration);

// What Launch offers to choose from: what the plan names, what its recipes can do, what the nodes allow.
using FeatureSet = std::vector<std::string>;  // sorted; empty: none

// Powers of two on one node up to its devices, then whole nodes up to all of them; and the plan's own.
[[nodiscard]] std::set<Topology> topologyChoices(const launch::Plan& plan, const cluster::Cluster& cluster);
// Half, the same and twice of what the plan has, and the usual ones beside.
[[nodiscard]] std::set<int> batchSizeChoices(const launch::Plan& plan);
// In the order of the recipes, then the plan's own.
[[nodiscard]] std::vector<std::string> precisionChoices(const launch::Plan& plan,
                                                        const launch::RecipeBook& recipes);
// None first, then each feature that some chosen recipe has, then the plan's own sets.
[[nodiscard]] std::vector<FeatureSet> featureChoices(const launch::Plan& plan,
                                                     const launch::RecipeBook& recipes);
// "dali-cpu+xla"; empty for none.
[[nodiscard]] std::string toString(const FeatureSet& features);
[[nodiscard]] FeatureSet parseFeatures(const std::string& text);

// "2 nodes with 8 devices each"
[[nodiscard]] QString topologyWords(const Topology& topology);

}  // namespace dlperf::ui
