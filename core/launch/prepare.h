// SPDX-License-Identifier: Apache-2.0
// From a plan to the exact script and environment that each node gets: shown before the start, and run
// unchanged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/launch/plan.h"
#include "core/launch/recipe.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::launch {

struct NodeLaunch {
    std::string node;  // name
    int rank = 0;      // node rank in this run
    // DLPERF_* and the node's own env; secret values are named, never filled in here.
    std::map<std::string, std::string> environment;
    bool startsScript = true;  // false on all but the first node for "start": "first-node"
};

// One run to come. Run id, run folder and repetition number are settled when the campaign starts.
struct PlannedRun {
    Case benchmarkCase;
    int repetition = 1;  // within the plan
    Window window;
    std::string recipe;
    std::string script;  // launch.sh, the same on every node
    std::vector<NodeLaunch> nodes;
};

struct PreparedPlan {
    std::vector<PlannedRun> runs;
    std::vector<Error>
        skipped;  // cases that this cluster or recipe cannot run, each with the reason: "8n8g needs 8 nodes"
};

// An Input error when nothing can be run at all (an unknown recipe, an unknown option, …).
[[nodiscard]] Result<PreparedPlan> prepare(const Plan& plan, const cluster::Cluster& cluster,
                                           const RecipeBook& recipes, const Vocabulary& vocabulary);

}  // namespace dlperf::launch
