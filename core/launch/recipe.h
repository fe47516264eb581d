// SPDX-License-Identifier: Apache-2.0
// A recipe: how to start one trainer. A folder NAME/ with recipe.json (facts) and launch.sh (a short bash
// script).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace dlperf::launch {

enum class StartOn { EveryNode, FirstNode };
enum class StopWhen { TrainerEnds, Measured };

struct RecipeOption {
    std::string name;
    std::string defaultValue;
    std::string help;
    bool affectsResult = false;
};

struct Recipe {
    std::string name;  // the folder's
    std::string title;
    std::string framework;  // as written; ids through the vocabulary
    std::string implementation;
    std::string model;
    std::string unit = "images/s";
    std::string format;  // a log format of core/analysis
    StartOn start = StartOn::EveryNode;
    StopWhen stop = StopWhen::TrainerEnds;
    std::vector<std::string> precisions;
    std::vector<std::string> features;
    std::vector<RecipeOption> options;  // in the file's order
    std::vector<std::string> neededCommands;
    std::vector<std::string> neededPython;
    bool sshBetweenNodes = false;
    std::string script;  // launch.sh's text
    std::filesystem::path folder;

    // The script starts the bundled trainer, which then has to be on every node.
    [[nodiscard]] bool usesWorker() const { return script.find("DLPERF_BIN_DIR") != std::string::npos; }
};

[[nodiscard]] Result<Recipe> readRecipe(const std::filesystem::path& folder);

// Folders are searched in order (a user's --recipes DIR before the bundled ones); the first of a name wins.
struct RecipeBook {
    std::vector<Recipe> recipes;  // by name
    std::vector<Error> problems;  // folders that could not be read
    const Recipe* find(const std::string& name) const;
};
[[nodiscard]] RecipeBook readRecipes(const std::vector<std::filesystem::path>& folders);

}  // namespace dlperf::launch
