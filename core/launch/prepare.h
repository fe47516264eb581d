// SPDX-License-Identifier: Apache-2.0
// From a plan to the exact script and environment that each node gets: shown before the start, and run
// unchanged.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/launch/plan.h"
#include "core/launch/recipe.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::launch {

// Stands for a value that settle() fills in: run id, run folder, port, repetition number, the folders of the
// worker and of the recipe, the recipe's Python.
inline constexpr const char* settledAtStart = "(settled when the run starts)";

struct NodeLaunch {
    std::string node;  // name
    int rank = 0;      // node rank in this run
    // DLPERF_* and the node's own env. What is known only when the run starts holds `settledAtStart`.
    std::map<std::string, std::string> environment;
    std::vector<std::string> secrets;  // variables whose values the runner takes from its own environment
    std::string setup;                 // bash, sourced before the script
    bool startsScript = true;          // false on all but the first node for "start": "first-node"
    std::shared_ptr<const cluster::RecipeNeeds> needs;  // of this node; with the options that hold there
};

// Threads that each process of the node computes with, by the option that recipes call "threads", else by
// OMP_NUM_THREADS; 0 where neither is a number.
[[nodiscard]] int computingThreads(const std::map<std::string, std::string>& environment);

// The recipe starts the bundled worker, which has to be brought to this node.
[[nodiscard]] bool needsWorker(const NodeLaunch& launch);

// One run to come. Run id, run folder and repetition number are settled when the campaign starts.
struct PlannedRun {
    Case benchmarkCase;
    Variant defaults;    // of the options that change the figure, so that a chart has a place for them
    int repetition = 1;  // within the plan
    MeasurementRange range;
    std::string measured;  // "iterations 21 to 120": the range as the trainer numbers it
    std::string recipe;
    std::string recipeTitle;
    std::string format;
    std::string unit;
    StopWhen stop = StopWhen::TrainerEnds;
    std::string formatRow;  // the format as it is written, if it is not a built-in one; else empty
    std::vector<std::string> neededPackages;  // of Python, whose versions are recorded
    std::string script;                       // launch.sh, the same on every node
    bool usesWorker = false;                  // the script starts the bundled trainer
    std::string logFile;                      // in the run's folder: the trainer's lines are there
    bool settlesAfterRange = false;           // stopped once its range is complete, should it hang
    // The recipe's folder, which has to be on every node; null where the script does not use it.
    std::shared_ptr<const std::vector<RecipeFile>> files;
    std::vector<NodeLaunch> nodes;

    // The trainer is a Python program, whose version and packages are recorded.
    [[nodiscard]] bool isPython() const {
        return !neededPackages.empty() ||
               (!nodes.empty() && nodes.front().needs && nodes.front().needs->python);
    }
    // Of nodes that have GPUs; the trainer may be told not to use them.
    [[nodiscard]] bool usesGpus() const;
};

// "image_size" -> "DLPERF_OPT_IMAGE_SIZE"
[[nodiscard]] std::string optionVariable(const std::string& option);

// One launch a node, by rank. `nodes` are the run's nodes in rank order; run.benchmarkCase and run.range are
// set.
[[nodiscard]] std::vector<NodeLaunch> nodeLaunches(const PlannedRun& run, const Recipe& recipe,
                                                   const OptionValues& options,
                                                   const std::vector<const cluster::Node*>& nodes);

// What begins is held against all rules; what has begun, maybe by an earlier version, can be ended and gone
// on with whatever rules have come since.
enum class PlanIs { New, Begun };

struct PreparedPlan {
    std::vector<PlannedRun> runs;
    std::vector<Error>
        skipped;  // cases that this cluster or recipe cannot run, each with the reason: "8n8g needs 8 nodes"
};

// An Input error when nothing can be run at all (an unknown recipe, an unknown option, …). `formats`: the
// built-in ones and those of the workspace.
[[nodiscard]] Result<PreparedPlan> prepare(const Plan& plan, const cluster::Cluster& cluster,
                                           const RecipeBook& recipes, const Vocabulary& vocabulary,
                                           const analysis::FormatBook& formats = {},
                                           PlanIs age = PlanIs::New);

// The run of one case: that of the plan but for the batch size and the options that the case has, which a
// search found or a job's nodes decide. An Input error where this cluster or its recipe cannot run it.
[[nodiscard]] Result<PlannedRun> prepareCase(const Plan& plan, const Case& wanted,
                                             const cluster::Cluster& cluster, const RecipeBook& recipes,
                                             const Vocabulary& vocabulary,
                                             const analysis::FormatBook& formats = {});

// What the runner learns when a run starts.
struct StartFacts {
    std::string runId;
    std::string runFolder;  // on the node, absolute
    std::string home;       // the node's home folder
    int masterPort = 0;
    int repetition = 0;
    std::string workerFolder{};  // on the node, absolute; for a launch that needsWorker()
    std::string recipeFolder{};  // the same, for a recipe that uses its folder
    std::string python{};        // for a recipe that needs one
    std::string source{};        // the checkout, where the recipe names one and it was found
};

// The environment as the script gets it: placeholders filled in, a leading "~/" in folders and options
// expanded.
[[nodiscard]] std::map<std::string, std::string> settle(const NodeLaunch& launch, const StartFacts& facts);

}  // namespace dlperf::launch
