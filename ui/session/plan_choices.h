// SPDX-License-Identifier: Apache-2.0
// What Launch offers to choose from: what the plan names, what its recipes can do, what the nodes allow.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/cluster/cluster.h"
#include "core/launch/plan.h"
#include "core/launch/recipe.h"

namespace dlperf::ui {

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

}  // namespace dlperf::ui
