// SPDX-License-Identifier: Apache-2.0
// A recipe: how to start one trainer. A folder NAME/ with recipe.json (facts), launch.sh (a short bash
// script) and what they need beside them: a trainer of its own, lists of packages, a log format. It travels
// whole.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/cluster/recipe_needs.h"

namespace dlperf::launch {

enum class StartOn { EveryNode, FirstNode };
enum class StopWhen { TrainerEnds, Measured };

struct RecipeOption {
    std::string name;
    std::string defaultValue;
    std::string help;
    bool affectsResult = false;
    std::vector<std::string> choices;  // the values there are; empty: any
    std::string variable{};            // that the script sets from it, whatever the plan or the node says
    // Values that are programs of the first node, which reach the others over SSH ("mpirun"): the script
    // starts there alone, whatever the recipe's "start" says.
    std::vector<std::string> firstNode{};
    int multipleOf = 0;  // a value is a positive multiple of it, or empty as the default; 0: any text
    // Another than its default has an effect only where each of these options has one of its values.
    std::map<std::string, std::vector<std::string>> onlyWith{};
};

// Whether the option may have the value: one of its choices, a multiple of its step.
[[nodiscard]] bool allows(const RecipeOption& option, const std::string& value);

// The values that options have in a run: recipe default, plan over it; by option name.
using OptionValues = std::map<std::string, std::string>;

struct RecipeFile {
    std::string name;  // without a folder
    std::string bytes;
    bool executable = false;
};

struct Recipe {
    std::string name;  // the folder's
    std::string title;
    std::string framework;  // as written; ids through the vocabulary
    std::string implementation;
    std::string model;
    std::string unit = "images/s";
    std::string format;            // name of a log format
    analysis::FormatBook formats;  // with those of the folder's own format.json
    StartOn start = StartOn::EveryNode;
    StopWhen stop = StopWhen::TrainerEnds;
    std::vector<std::string> precisions;
    std::vector<std::string> features;
    std::vector<RecipeOption> options;  // in the file's order
    std::vector<std::string> neededCommands;
    std::vector<std::string> neededPackages;  // of Python, whose versions are recorded
    bool sshBetweenNodes = false;
    std::vector<std::string> setByTrainer;  // variables, over what the plan or the node sets
    cluster::RecipeNeeds needs;             // its options are those of a plan: see needsOf()
    std::string logFile;  // in the run's folder, where the trainer writes its lines; empty: its output
    bool settlesAfterRange = false;  // it may hang once its range is complete: then it is stopped and is ok
    std::string script;              // launch.sh's text
    // All of the folder, and those of other folders that recipe.json names; shared by the runs of a plan.
    std::shared_ptr<const std::vector<RecipeFile>> files;
    std::filesystem::path folder;

    // The script starts the bundled trainer, which then has to be on every node.
    [[nodiscard]] bool usesWorker() const { return script.find("DLPERF_BIN_DIR") != std::string::npos; }
    // What lies beside it has to be on every node.
    [[nodiscard]] bool usesFolder() const { return script.find("DLPERF_RECIPE_DIR") != std::string::npos; }
    // The trainer sees the node's devices that it is told, and no others.
    [[nodiscard]] bool usesDeviceList() const;
};

// The launcher that needs no SSH between nodes.
inline constexpr std::string_view slurmLauncher = "srun";

// The launcher that an option names ("mpirun") to start all nodes' processes from the first one; empty if
// none does.
[[nodiscard]] std::string firstNodeLauncher(const Recipe& recipe, const OptionValues& options);
// Where the script starts with these options, which may leave out what stands at its default.
[[nodiscard]] StartOn startOf(const Recipe& recipe, const OptionValues& options);

// An Input error names the file and the field.
[[nodiscard]] Result<Recipe> readRecipe(const std::filesystem::path& folder);

// Folders are searched in order (a user's --recipes DIR before the bundled ones); the first of a name wins.
struct RecipeBook {
    std::vector<Recipe> recipes;  // by name
    std::vector<Error> problems;  // folders that could not be read
    const Recipe* find(const std::string& name) const;
};
[[nodiscard]] RecipeBook readRecipes(const std::vector<std::filesystem::path>& folders);

// Those that come with the program, then a workspace's own, where it has any: a workspace from elsewhere
// gives no known name another meaning.
[[nodiscard]] std::vector<std::filesystem::path> recipeFolders(const std::filesystem::path& resources,
                                                               const std::filesystem::path& workspace);
[[nodiscard]] std::filesystem::path ownRecipes(const std::filesystem::path& workspace);

// The recipe's files, in a folder that is made.
[[nodiscard]] Result<void> writeRecipe(const Recipe& recipe, const std::filesystem::path& to);
// Reads the recipe of a folder and copies it into the workspace, over one of the same name there. An Input
// error for what is no recipe, or has the name of one that comes with the program.
[[nodiscard]] Result<Recipe> addRecipe(const std::filesystem::path& folder,
                                       const std::filesystem::path& resources,
                                       const std::filesystem::path& workspace);

}  // namespace dlperf::launch
