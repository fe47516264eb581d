// SPDX-License-Identifier: Apache-2.0
#include "app/bench_runs.h"

#include <utility>

#include "app/check_before_run.h"
#include "app/run_campaign.h"
#include "app/run_inputs.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/store/run_record.h"

namespace dlperf::app {
namespace {

constexpr int mostRunSeconds = 600;  // each ends within a minute or two

launch::Plan planOfRecipe(const std::string& recipe, Topology topology) {
    launch::Plan plan;
    plan.name = recipe;
    plan.recipes = {recipe};
    plan.topologies = {topology};
    plan.batchSizes = {1};
    plan.timeoutSeconds = mostRunSeconds;
    return plan;
}

// Recipes that nobody chooses stand beside those of trainers.
Result<launch::RecipeBook> readMeasurements() {
    const auto resources = TRY(resourceFolder());
    return launch::readRecipes({resources / "measurements"});
}

// With the devices that were found.
Result<run::CampaignInputs> askNodes(const BenchOptions& options, const std::string& recipe) {
    auto cluster = TRY(options.cluster.empty() ? cluster::thisMachine()
                                               : cluster::readCluster(expandHome(options.cluster)));
    const Topology all{static_cast<int>(cluster.nodes.size()), 1};
    run::CampaignInputs inputs{planOfRecipe(recipe, all), std::move(cluster), TRY(readMeasurements())};
    // What a check says against it may be what is to be measured.
    TRY(checkBeforeRun("bench", inputs, options.transports, true));
    return inputs;
}

}  // namespace

BenchRuns::BenchRuns(std::unique_ptr<run::HeldSignals> signals, store::Workspace workspace,
                     store::Workspace own, run::CampaignInputs inputs, Vocabulary vocabulary,
                     remote::TransportFactory transports)
    : signals_(std::move(signals)),
      workspace_(std::move(workspace)),
      own_(std::move(own)),
      inputs_(std::move(inputs)),
      vocabulary_(std::move(vocabulary)),
      transports_(std::move(transports)) {}

Result<BenchRuns> BenchRuns::open(const BenchOptions& options, const std::string& recipe, Place place) {
    auto signals = std::make_unique<run::HeldSignals>(false);  // before anything has threads
    auto inputs = TRY(askNodes(options, recipe));
    auto workspace = TRY(store::Workspace::open(expandHome(options.workspace)));
    auto own = TRY(store::Workspace::open((workspace.*place)()));
    auto vocabulary = TRY(readVocabulary());
    return BenchRuns(std::move(signals), std::move(workspace), std::move(own), std::move(inputs),
                     std::move(vocabulary), options.transports);
}

launch::Plan BenchRuns::planOf(const std::string& name, std::vector<std::string> nodes,
                               Topology topology) const {
    launch::Plan plan = planOfRecipe(inputs_.plan.recipes.front(), topology);
    plan.name = name;
    plan.nodes = std::move(nodes);
    return plan;
}

Result<run::RunState> BenchRuns::run(const launch::Plan& plan, const std::string& title) {
    std::string id;
    RunnerOptions options;
    options.transports = transports_;
    options.settings.anyway = true;
    options.title = title;
    options.printsTable = false;
    options.begun = [&](const std::string& campaign) { id = campaign; };
    options.cancelled = [this](const std::string&) { isCancelled_ = true; };
    inputs_.plan = plan;
    auto prepared = TRY(launch::prepare(inputs_.plan, inputs_.cluster, inputs_.recipes, vocabulary_, {}));
    const Inputs inputs{inputs_, vocabulary_, std::move(prepared)};
    (void)TRY(startCampaign(own_, inputs, options));
    auto campaign = TRY(run::readCampaign(own_, id));
    TRY(run::replayJournal(own_, campaign));
    isCancelled_ = isCancelled_ || campaign.runs.at(0).outcome == Outcome::Cancelled;
    return std::move(campaign.runs.at(0));
}

std::filesystem::path BenchRuns::logOf(const run::RunState& run, std::size_t rank) const {
    return store::nodeLog(own_.root() / run.folder, rank);
}

Result<void> BenchRuns::checkNotCancelled() const {
    if (isCancelled_ || signals_->take() != nullptr) {
        return fail("was cancelled: nothing is kept", {}, {}, ErrorKind::Work);
    }
    return {};
}

std::string reasonOf(const run::RunState& run) {
    return run.reason.empty() ? toString(run.outcome) : run.reason;
}

}  // namespace dlperf::app
