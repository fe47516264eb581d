// SPDX-License-Identifier: Apache-2.0
#include "app/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/commands.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/cluster/slurm.h"
#include "core/run/control.h"
#include "core/store/workspace.h"

namespace dlperf::app {

Result<Vocabulary> readVocabulary() {
    const auto resources = resourceFolder();
    return resources ? Vocabulary::fromFile(*resources / "vocabulary.json") : Failure(resources.error());
}

// A mistyped folder must not mean the bundled recipes.
Result<launch::RecipeBook> chooseRecipes(const std::string& path, const std::string& workspace) {
    const auto resources = TRY(resourceFolder());
    std::vector<std::filesystem::path> folders;
    if (!path.empty()) {
        folders.push_back(expandHome(path));
        std::error_code error;
        if (!std::filesystem::is_directory(folders.front(), error)) {
            return fail("there is no such folder of recipes", folders.front().string(),
                        "Correct --recipes: it names a folder that holds recipe folders.");
        }
    }
    const auto others =
        launch::recipeFolders(resources, workspace.empty() ? std::filesystem::path() : expandHome(workspace));
    folders.insert(folders.end(), others.begin(), others.end());
    return launch::readRecipes(folders);
}

Result<analysis::FormatBook> formatsToCome(const std::string& workspace) {
    std::error_code error;
    return formatsOf(std::filesystem::exists(expandHome(workspace), error) ? workspace : "");
}

namespace {

// Slurm would end such a job before the run has had its time.
void tellOfShortJob(const run::CampaignInputs& campaign) {
    const int timeout = campaign.plan.timeoutSeconds;
    if (campaign.cluster.slurm &&
        cluster::endsBefore(*campaign.cluster.slurm, std::chrono::seconds(timeout))) {
        std::cerr << told(fmt::format("note: Slurm ends a job after time_limit {}, which is less than the "
                                      "timeout_s {} that the plan gives a run",
                                      campaign.cluster.slurm->timeLimit, timeout))
                  << '\n';
    }
}

}  // namespace

Result<Inputs> readInputs(const InputOptions& options, const AskNodes& askNodes) {
    run::reapChildren();  // nodes are asked here, before a runner is made
    auto plan = TRY(launch::readPlan(expandHome(options.plan)));
    auto cluster = TRY(options.cluster.empty() ? cluster::thisMachine()
                                               : cluster::readCluster(expandHome(options.cluster)));
    auto vocabulary = TRY(readVocabulary());
    auto recipes = TRY(chooseRecipes(options.recipes, options.workspace));
    run::CampaignInputs campaign{std::move(plan), std::move(cluster), std::move(recipes)};
    tellOfShortJob(campaign);
    const auto formats = TRY(formatsToCome(options.workspace));
    const auto prepare = [&] {
        return launch::prepare(campaign.plan, campaign.cluster, campaign.recipes, vocabulary, formats);
    };
    TRY(prepare());  // what no node can make good is not worth asking them
    TRY(askNodes(campaign));
    auto prepared = TRY(prepare());
    return Inputs{std::move(campaign), std::move(vocabulary), std::move(prepared)};
}

void tellWait(const std::string& message) {
    std::cerr << told(message) << std::endl;
}

int complain(const std::string& command, const Error& error) {
    std::cerr << "dlperf " << command << ": " << told(describe(error)) << '\n';
    return exitCode(error);
}

int exitCodeOf(const std::string& command, const Result<int>& code) {
    return code ? *code : complain(command, code.error());
}

std::string shortName(const Case& benchmarkCase) {
    return fmt::format("{} {} {}", store::seriesFolderName(benchmarkCase.configuration),
                       store::batchFolderName(benchmarkCase.configuration), toString(benchmarkCase.topology));
}

}  // namespace dlperf::app
