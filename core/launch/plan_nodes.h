// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/cluster/checks.h"
#include "core/launch/plan.h"
#include "core/launch/recipe.h"

namespace dlperf::launch {

// The nodes that a plan may use, in its order. An Input error names one that the cluster has not.
[[nodiscard]] Result<std::vector<const cluster::Node*>> chosenNodes(const Plan& plan,
                                                                    const cluster::Cluster& cluster);

// The nodes that the plan's topologies reach to, and what its recipes need on each.
struct PlanNodes {
    cluster::Cluster cluster;
    std::vector<cluster::Needs> needs;  // by node
};

// Recipes that are not in the book are passed over: prepare() names them.
[[nodiscard]] Result<PlanNodes> planNodes(const Plan& plan, const cluster::Cluster& cluster,
                                          const RecipeBook& recipes);

}  // namespace dlperf::launch
