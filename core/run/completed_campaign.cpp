// SPDX-License-Identifier: Apache-2.0
#include "core/run/completed_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/launch/past_runs.h"
#include "core/model/campaign.h"
#include "core/store/results.h"

namespace dlperf::run {
namespace {

using RunsByCase = std::map<Case, launch::PlannedRun>;

constexpr const char* unreadable = "its plan cannot be read";

// One run of each case that the plan's lists give, also of what it leaves out this time.
Result<RunsByCase> wholePlan(const CampaignInputs& inputs, const Vocabulary& vocabulary,
                             const analysis::FormatBook& formats) {
    launch::Plan plan = inputs.plan;
    plan.only.clear();
    plan.repetitions = 1;
    const auto prepared = TRY(
        launch::prepare(plan, inputs.cluster, inputs.recipes, vocabulary, formats, launch::PlanIs::Begun));
    RunsByCase runs;
    for (const launch::PlannedRun& run : prepared.runs) {
        runs.try_emplace(run.benchmarkCase, run);
    }
    return runs;
}

struct EarlierCampaign {
    std::string series;  // the first campaign of it
    int figures = 0;     // of the plan's cases
};

// Where nothing is missing the plan is run once more: a repeat stands beside the earlier figures.
bool isAllThere(const std::vector<RunResult>& results, const RunsByCase& runs, int repetitions) {
    std::map<Case, int> figures;
    for (const RunResult& result : results) {
        const auto run = runs.find(result.benchmarkCase);
        if (run != runs.end() && result.throughput && launch::isFigureOf(run->second.range, result)) {
            ++figures[result.benchmarkCase];
        }
    }
    return std::ranges::all_of(runs, [&](const auto& run) { return figures[run.first] >= repetitions; });
}

// Those without a figure among them: how they ran counts for their series too.
std::map<std::string, EarlierCampaign> earlierCampaigns(const std::vector<RunResult>& results,
                                                        const RunsByCase& runs) {
    std::map<std::string, EarlierCampaign> campaigns;  // by id
    for (const RunResult& result : results) {
        const auto run = runs.find(result.benchmarkCase);
        if (result.origin == Origin::Own && run != runs.end()) {
            EarlierCampaign& one = campaigns[result.campaign];
            one.series = seriesCampaign(result);
            one.figures += launch::isFigureOf(run->second.range, result) ? 1 : 0;
        }
    }
    return campaigns;
}

// With figures of the plan's cases: where these ran nobody knows.
std::set<std::string> importsOf(const std::vector<RunResult>& results, const RunsByCase& runs) {
    std::set<std::string> imports;
    for (const RunResult& result : results) {
        if (result.origin == Origin::Imported && result.throughput && !result.excluded &&
            runs.contains(result.benchmarkCase)) {
            imports.insert(result.campaign);
        }
    }
    return imports;
}

auto placeOf(const cluster::Node& node) {
    return std::tie(node.local, node.host, node.container, node.image, node.runtime, node.imageOptions);
}

// Whether the run's nodes are the same machines, containers and images in both lists.
bool arePlacesSame(const launch::PlannedRun& run, const cluster::Cluster& one,
                   const cluster::Cluster& other) {
    return std::ranges::all_of(run.nodes, [&](const launch::NodeLaunch& launch) {
        const auto first = std::ranges::find(one.nodes, launch.node, &cluster::Node::name);
        const auto second = std::ranges::find(other.nodes, launch.node, &cluster::Node::name);
        return first != one.nodes.end() && second != other.nodes.end() && placeOf(*first) == placeOf(*second);
    });
}

// Why the campaign's figures are no others of the same series; empty where they are.
std::string differenceOf(const store::Workspace& workspace, const std::string& id, const RunsByCase& runs,
                         const cluster::Cluster& cluster, const Vocabulary& vocabulary,
                         const analysis::FormatBook& formats) {
    const auto inputs = readInputs(workspace, id);
    const auto earlier =
        inputs ? wholePlan(*inputs, vocabulary, formats) : Result<RunsByCase>(Failure(inputs.error()));
    if (!earlier) {
        return unreadable;
    }
    for (const auto& [benchmarkCase, run] : *earlier) {
        const auto same = runs.find(benchmarkCase);
        if (same == runs.end()) {
            continue;
        }
        if (auto what = launch::launchDifference(run, same->second); !what.empty()) {
            return what;
        }
        if (!arePlacesSame(run, inputs->cluster, cluster)) {
            return "other nodes";
        }
    }
    return {};
}

}  // namespace

Result<Completion> completionOf(const store::Workspace& workspace, const CampaignInputs& inputs,
                                const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    const auto runs = TRY(wholePlan(inputs, vocabulary, formats));
    const auto stored = TRY(store::readResults(workspace));
    if (isAllThere(stored.results, runs, inputs.plan.repetitions)) {
        return Completion{};
    }
    const auto earlier = earlierCampaigns(stored.results, runs);
    std::map<std::string, int> figures;          // by series
    std::map<std::string, std::string> reasons;  // by campaign; empty of those that are alike
    std::set<std::string> differing;             // series with a campaign that would run otherwise
    for (const auto& [id, one] : earlier) {
        const std::string& reason = reasons[id] =
            differenceOf(workspace, id, runs, inputs.cluster, vocabulary, formats);
        if (reason.empty()) {
            figures[one.series] += one.figures;
        } else if (reason != unreadable) {
            differing.insert(one.series);
        }
    }
    std::erase_if(figures, [&](const auto& of) { return of.second == 0 || differing.contains(of.first); });
    Completion completion;
    for (const auto& [series, count] : figures) {
        if (completion.campaign.empty() || count >= figures[completion.campaign]) {
            completion.campaign = series;
        }
    }
    for (const auto& [id, one] : earlier) {
        if (one.figures > 0 && one.series != completion.campaign) {
            const std::string& reason = reasons[id];
            const char* others = differing.contains(one.series) ? "its series holds others" : "fewer figures";
            completion.apart.push_back(fmt::format("{} ({})", id, reason.empty() ? others : reason));
        }
    }
    for (const std::string& name : importsOf(stored.results, runs)) {
        completion.apart.push_back(name + " (imported figures)");
    }
    return completion;
}

}  // namespace dlperf::run
