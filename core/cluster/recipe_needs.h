// SPDX-License-Identifier: Apache-2.0
// What a recipe needs of a node beyond commands: a Python with its modules, a checkout, data, GPUs. The
// script that looks for them, what it found, and the checks of that.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/checks.h"

namespace dlperf::cluster {

struct PythonNeeds {
    std::string versions;  // ">=3.9,<3.13"; empty: any
    // By kind of device ("cpu", "cuda"): the text of a pip requirements file, pinned and complete. A kind
    // without one takes a Python that is there and finds the imports.
    std::map<std::string, std::string> requirements;
    std::vector<std::string> imports;  // "torch", "paddle.vision"
    // What installs what is missing where nothing is prepared. "pip install …" is done by the Python that was
    // found.
    std::string remedy;

    friend bool operator==(const PythonNeeds&, const PythonNeeds&) = default;
};

// A checkout of the trainer's repository, named by an option of the recipe.
struct SourceNeeds {
    std::string repository;          // "pytorch/examples", of GitHub
    std::string commit;              // 40 hexadecimal digits; empty: any
    std::string option;              // that holds the checkout's folder
    std::vector<std::string> files;  // that must be there, relative to the checkout
    std::string branch{};            // or tag, to clone where no commit is named

    friend bool operator==(const SourceNeeds&, const SourceNeeds&) = default;
};

struct DataNeeds {
    std::string option;                         // that holds the folder; empty: the node's data_dir
    std::vector<std::string> kinds;             // "folder with train/ and val/"
    bool optional = false;                      // without a folder the trainer makes data itself
    std::map<std::string, std::string> unless;  // options with which none is read: {"dummy": "yes"}
};

// Of one recipe with the options of one plan.
struct RecipeNeeds {
    std::string recipe;
    std::map<std::string, std::string> options;  // values by name
    std::optional<PythonNeeds> python;
    std::optional<SourceNeeds> source;
    std::optional<DataNeeds> data;
    bool gpus = false;
    std::vector<std::string> backends;  // of torch.distributed: "nccl"

    [[nodiscard]] std::string option(const std::string& name) const;  // empty if there is none
    [[nodiscard]] bool any() const { return python || source || data || gpus; }
};

// What the trainer reads is the node's data_dir: it reads data, and no option names another folder.
[[nodiscard]] bool readsDataDir(const RecipeNeeds& needs);

// The folder of an environment is named by its requirements: the first digits of their checksum.
[[nodiscard]] std::string checksumOf(const std::string& requirements);

// How a node is looked at: for files only, as before each run, or with every import really made, which takes
// seconds.
enum class Depth { Files, Imports };

// The text for a POSIX shell. Runs the node's setup first. In a container nothing is prepared.
[[nodiscard]] std::string environmentScript(const Node& node, const RecipeNeeds& needs, Depth depth);

// What the script found. Texts are as the node printed them, bounded.
struct RecipeEnvironment {
    std::string kind;     // of device: "cpu" or "cuda"; empty: the node did not answer as it should
    std::string python;   // absolute; empty: none yet
    std::string base;     // a Python that an environment could be made with, or that lacks modules
    std::string folder;   // of the environment that is to be prepared
    std::string missing;  // modules that no Python has, between blanks
    std::string broken;   // "torch ImportError: …": a module that is there and does not import
    std::vector<std::string> missingBackends;
    std::string source;       // the checkout, or its copy in the cache
    std::string otherCommit;  // that the checkout has; "none": it is no checkout
    std::string gitSays;      // why git cannot tell the checkout's commit
    std::vector<std::string> missingFiles;
    std::string missingSource;
    std::optional<std::string> missingData;  // the folder, or empty where none is named
    bool emptyData = false;                  // it is there and holds nothing
    bool setupFailed = false;
    bool noPython = false;
    bool noVenv = false;  // the Python cannot make environments
    bool noGpu = false;

    // Preparing makes it ready.
    [[nodiscard]] bool toPrepare() const { return !folder.empty() && !noVenv; }
};

[[nodiscard]] RecipeEnvironment parseEnvironment(std::string_view printed);

// In the order in which they are read. What makes a run impossible stops it (Check::stopsRun), with a remedy;
// an environment that is to be prepared does so as well.
[[nodiscard]] std::vector<Check> checkRecipe(const RecipeNeeds& needs, const RecipeEnvironment& found);

}  // namespace dlperf::cluster
