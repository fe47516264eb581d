// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/cluster/checks.h"
#include "core/launch/plan.h"
#include "core/launch/prepare.h"
#include "core/launch/recipe.h"

namespace dlperf::launch {

// An Input error, with why the recipe could not be read if that is so, for a name that is not in the book.
[[nodiscard]] Result<const Recipe*> findRecipe(const RecipeBook& recipes, const std::string& name,
                                               const std::string& where);

// The nodes that a plan may use, in its order. An Input error names one that the cluster has not.
[[nodiscard]] Result<std::vector<const cluster::Node*>> chosenNodes(const Plan& plan,
                                                                    const cluster::Cluster& cluster);

// What the recipe needs of this node with these values of its options; the node's own env has the last word.
[[nodiscard]] cluster::RecipeNeeds needsOf(const Recipe& recipe, const OptionValues& options,
                                           const cluster::Node& node);

// The nodes that the plan's topologies reach to, and what its recipes need on each.
struct PlanNodes {
    cluster::Cluster cluster;
    std::vector<cluster::Needs> needs;                       // by node
    std::vector<std::vector<cluster::RecipeNeeds>> recipes;  // by node; those that need something
    std::vector<std::string> interfaces{};  // of the network, that the plan names; none for one node
};

// Recipes that are not in the book are passed over: prepare() names them.
[[nodiscard]] Result<PlanNodes> planNodes(const Plan& plan, const cluster::Cluster& cluster,
                                          const RecipeBook& recipes);

}  // namespace dlperf::launch
