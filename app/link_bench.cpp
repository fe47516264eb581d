// SPDX-License-Identifier: Apache-2.0
#include "app/link_bench.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

#include "app/check_before_run.h"
#include "app/run_campaign.h"
#include "app/run_inputs.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/run/control.h"
#include "core/store/run_record.h"
#include "core/store/workspace.h"

namespace dlperf::app {
namespace {

constexpr const char* recipeName = "dlperf-links";
constexpr int mostRunSeconds = 600;  // slow links end it within one minute
constexpr std::uintmax_t mostLogBytes = 1U << 20U;

// One run to come.
struct LinkRun {
    std::string title;               // "between a and b"
    std::vector<std::string> nodes;  // empty: as many as the topology has
    Topology topology;
    cluster::LinkSeries* series = nullptr;     // where it belongs
    std::vector<std::string*> namesOfSlurm{};  // of a job's nodes, by rank
};

launch::Plan planOf(const std::string& name, std::vector<std::string> nodes, Topology topology) {
    launch::Plan plan;
    plan.name = name;
    plan.recipes = {recipeName};
    plan.topologies = {topology};
    plan.batchSizes = {1};
    plan.nodes = std::move(nodes);
    plan.timeoutSeconds = mostRunSeconds;
    return plan;
}

// Recipes that nobody chooses stand beside those of trainers.
Result<launch::RecipeBook> readMeasurements() {
    const auto resources = TRY(resourceFolder());
    return launch::readRecipes({resources / "measurements"});
}

// With the devices that were found.
Result<run::CampaignInputs> askNodes(const LinkBenchOptions& options) {
    run::reapChildren();  // they are asked before a runner is made
    auto cluster = TRY(options.cluster.empty() ? cluster::thisMachine()
                                               : cluster::readCluster(expandHome(options.cluster)));
    const Topology all{static_cast<int>(cluster.nodes.size()), 1};
    run::CampaignInputs inputs{planOf("links", {}, all), std::move(cluster), TRY(readMeasurements())};
    // What a check says against it may be what is to be measured.
    TRY(checkBeforeRun("bench", inputs, options.transports, true));
    return inputs;
}

// What there is to measure, each missing so far.
cluster::LinkBaseline emptyBaseline(const cluster::Cluster& cluster) {
    cluster::LinkBaseline baseline;
    const auto nothing = [](int ranks) { return cluster::LinkSeries{ranks, {}, "was not measured"}; };
    const bool named = !cluster.slurm;  // a job's nodes are Slurm's choice
    for (const cluster::Node& node : cluster.nodes) {
        for (std::size_t i = 0; named && i < baseline.nodes.size(); ++i) {
            baseline.pairs.push_back({baseline.nodes[i], node.name, nothing(2)});
        }
        if (node.devices.value_or(1) > 1 && (named || baseline.within.empty())) {
            baseline.within.push_back({node.name, nothing(*node.devices)});
        }
        baseline.nodes.push_back(node.name);
    }
    const auto count = static_cast<int>(cluster.nodes.size());
    if (count > (named ? 2 : 1)) {
        baseline.all = nothing(count);
    }
    return baseline;
}

std::vector<LinkRun> runsOf(cluster::LinkBaseline& baseline, bool slurm) {
    std::vector<LinkRun> runs;
    for (cluster::PairBaseline& pair : baseline.pairs) {
        runs.push_back({fmt::format("between {} and {}", pair.from, pair.to),
                        {pair.from, pair.to},
                        Topology{2, 1},
                        &pair.series});
    }
    if (baseline.all) {
        runs.push_back({fmt::format("all {} nodes together", baseline.nodes.size()),
                        slurm ? std::vector<std::string>() : baseline.nodes, Topology{baseline.all->ranks, 1},
                        &*baseline.all});
        for (std::string& node : baseline.nodes) {
            runs.back().namesOfSlurm.push_back(&node);
        }
    }
    for (cluster::NodeBaseline& node : baseline.within) {
        runs.push_back({fmt::format("the {} devices of {}", node.series.ranks, slurm ? "a node" : node.node),
                        slurm ? std::vector<std::string>() : std::vector{node.node},
                        Topology{1, node.series.ranks},
                        &node.series,
                        {&node.node}});
    }
    return runs;
}

class LinkBench {
public:
    LinkBench(store::Workspace workspace, run::CampaignInputs inputs, Vocabulary vocabulary,
              const LinkBenchOptions& options)
        : workspace_(std::move(workspace)),
          inputs_(std::move(inputs)),
          vocabulary_(std::move(vocabulary)),
          options_(options) {}

    [[nodiscard]] Result<cluster::LinkBaseline> measure() {
        auto baseline = emptyBaseline(inputs_.cluster);
        const std::vector<LinkRun> runs = runsOf(baseline, inputs_.cluster.slurm.has_value());
        if (runs.empty()) {
            return fail("there is no link to measure: it is one node with one device", inputs_.cluster.name,
                        "Name a cluster file with two nodes or more.");
        }
        bool any = false;
        std::string why;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            TRY(measureOne(runs[i], fmt::format("[{}/{}] {}", i + 1, runs.size(), told(runs[i].title))));
            any = any || !runs[i].series->points.empty();
            why = runs[i].series->missing;
        }
        if (!any) {
            return fail("no link could be measured: " + why, inputs_.cluster.name, {}, ErrorKind::Work);
        }
        baseline.measured = now();
        baseline.by = by_;
        return baseline;
    }

private:
    [[nodiscard]] Result<void> measureOne(const LinkRun& wanted, const std::string& title) {
        inputs_.plan = planOf(wanted.title, wanted.nodes, wanted.topology);
        const auto run = runOnce(title);
        if (!run) {
            wanted.series->missing = describe(run.error());
            return {};
        }
        const run::RunState& ended = *run;
        if (ended.outcome == Outcome::Cancelled) {
            return fail("was cancelled: nothing is kept", {}, {}, ErrorKind::Work);
        }
        for (std::size_t rank = 0; inputs_.cluster.slurm && rank < ended.nodes.size(); ++rank) {
            if (rank < wanted.namesOfSlurm.size()) {
                *wanted.namesOfSlurm[rank] = ended.nodes[rank];
            }
        }
        cluster::LinkSeries& series = *wanted.series;
        if (ended.outcome != Outcome::Ok) {
            series.missing = ended.reason.empty() ? toString(ended.outcome) : ended.reason;
            return {};
        }
        const auto file = store::nodeLog(workspace_.root() / ended.folder, 0);
        const auto text = readFile(file, mostLogBytes);
        auto log = text ? cluster::parseLinkLog(*text, file.string()) : Failure(text.error());
        if (!log) {
            series.missing = describe(log.error());
            return {};
        }
        series.points = std::move(log->points);
        series.missing.clear();
        by_ = log->by;
        return {};
    }

    // A campaign of one run, to its end.
    [[nodiscard]] Result<run::RunState> runOnce(const std::string& title) {
        std::string id;
        RunnerOptions options;
        options.transports = options_.transports;
        options.settings.anyway = true;
        options.title = title;
        options.printsTable = false;
        options.begun = [&](const std::string& campaign) { id = campaign; };
        auto prepared = TRY(launch::prepare(inputs_.plan, inputs_.cluster, inputs_.recipes, vocabulary_, {}));
        const Inputs inputs{inputs_, vocabulary_, std::move(prepared)};
        (void)TRY(startCampaign(workspace_, inputs, options));
        auto campaign = TRY(run::readCampaign(workspace_, id));
        TRY(run::replayJournal(workspace_, campaign));
        return std::move(campaign.runs.at(0));
    }

    store::Workspace workspace_;
    run::CampaignInputs inputs_;
    Vocabulary vocabulary_;
    const LinkBenchOptions& options_;
    std::string by_;
};

}  // namespace

Result<cluster::LinkBaseline> measureLinks(const LinkBenchOptions& options) {
    auto inputs = TRY(askNodes(options));
    if (inputs.cluster.slurm) {
        std::cerr << told("note: Slurm chooses the nodes of a job, so pairs are not measured one by one")
                  << '\n';
    }
    const auto workspace = TRY(store::Workspace::open(expandHome(options.workspace)));
    auto own = TRY(store::Workspace::open(workspace.linkRuns()));
    auto vocabulary = TRY(readVocabulary());
    auto baseline =
        TRY(LinkBench(std::move(own), std::move(inputs), std::move(vocabulary), options).measure());
    TRY(cluster::writeLinkBaseline(workspace.linkBaseline(), baseline));
    return baseline;
}

}  // namespace dlperf::app
