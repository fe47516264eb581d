// SPDX-License-Identifier: Apache-2.0
#include "app/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/remote/transport.h"
#include "core/run/resolve_devices.h"
#include "core/store/workspace.h"

namespace dlperf::app {
namespace {

Result<cluster::Cluster> chooseCluster(const std::string& path) {
    if (path.empty()) {
        return cluster::thisMachine();
    }
    auto cluster = cluster::readCluster(path);
    return cluster ? run::resolveDevices(std::move(*cluster), remote::openTransport)
                   : Failure(cluster.error());
}

}  // namespace

Result<Vocabulary> readVocabulary() {
    const auto resources = resourceFolder();
    return resources ? Vocabulary::fromFile(*resources / "vocabulary.json") : Failure(resources.error());
}

Result<Inputs> readInputs(const InputOptions& options) {
    auto plan = launch::readPlan(options.plan);
    if (!plan) {
        return Failure(plan.error());
    }
    auto cluster = chooseCluster(options.cluster);
    if (!cluster) {
        return Failure(cluster.error());
    }
    auto vocabulary = readVocabulary();
    if (!vocabulary) {
        return Failure(vocabulary.error());
    }
    std::vector<std::filesystem::path> folders;
    if (!options.recipes.empty()) {
        folders.emplace_back(options.recipes);
    }
    folders.push_back(*resourceFolder() / "recipes");
    run::CampaignInputs campaign{std::move(*plan), std::move(*cluster), launch::readRecipes(folders)};
    auto prepared = launch::prepare(campaign.plan, campaign.cluster, campaign.recipes, *vocabulary);
    if (!prepared) {
        return Failure(prepared.error());
    }
    return Inputs{std::move(campaign), std::move(*vocabulary), std::move(*prepared)};
}

std::string printable(const std::string& text) {
    std::string clean = cleanUtf8(text);
    std::replace_if(
        clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return clean;
}

int complain(const std::string& command, const Error& error) {
    std::cerr << "dlperf " << command << ": " << printable(describe(error)) << '\n';
    return exitCode(error);
}

std::string shortName(const Case& benchmarkCase) {
    return fmt::format("{} {} {}", store::seriesFolderName(benchmarkCase.subject),
                       store::batchFolderName(benchmarkCase.subject), toString(benchmarkCase.topology));
}

}  // namespace dlperf::app
