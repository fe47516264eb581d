// SPDX-License-Identifier: Apache-2.0
// What `dlperf plan` and `dlperf run` read: plan, cluster, recipes, vocabulary.
#pragma once

#include <functional>
#include <string>

#include "app/told.h"
#include "core/analysis/format_book.h"
#include "core/model/vocabulary.h"
#include "core/run/campaign.h"

namespace dlperf::app {

struct InputOptions {
    std::string plan;
    std::string cluster;    // empty: this machine
    std::string recipes;    // a folder searched before the bundled recipes; may be empty
    std::string workspace;  // whose log formats recipes may write; empty, or one to come: none
};

struct Inputs {
    run::CampaignInputs campaign;
    Vocabulary vocabulary;
    launch::PreparedPlan prepared;
};

// What asks the nodes of inputs that were read, and fills in what they leave to be found (devices).
using AskNodes = std::function<Result<void>(run::CampaignInputs&)>;

[[nodiscard]] Result<Inputs> readInputs(const InputOptions& options, const AskNodes& askNodes);
// The bundled recipes, and before them those of a folder of the user's; empty: none.
[[nodiscard]] Result<launch::RecipeBook> chooseRecipes(const std::string& folder,
                                                       const std::string& workspace = {});
[[nodiscard]] Result<Vocabulary> readVocabulary();
// The built-in formats and those of a workspace's own; the built-in ones alone where there is none yet.
[[nodiscard]] Result<analysis::FormatBook> formatsToCome(const std::string& workspace);

// What a command waits for in Slurm's queue, on standard error.
void tellWait(const std::string& message);

// "dlperf run: plan.json: there is no recipe …" on standard error; the exit code.
int complain(const std::string& command, const Error& error);
// The same of an error; else the exit code that there is.
int exitCodeOf(const std::string& command, const Result<int>& code);

// "dlperf-worker b8 fp32 1n2g"
[[nodiscard]] std::string shortName(const Case& benchmarkCase);

}  // namespace dlperf::app
