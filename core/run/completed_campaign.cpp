// SPDX-License-Identifier: Apache-2.0
#include "core/run/completed_campaign.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/launch/past_runs.h"
#include "core/model/campaign.h"
#include "core/store/results.h"

namespace dlperf::run {
namespace {

using RunsByCase = std::map<Case, launch::PlannedRun>;

// All that the plan's lists give, also what it leaves out this time.
Result<RunsByCase> wholePlan(const CampaignInputs& inputs, const Vocabulary& vocabulary,
                             const analysis::FormatBook& formats) {
    launch::Plan plan = inputs.plan;
    plan.only.clear();
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

std::map<std::string, EarlierCampaign> earlierCampaigns(const std::vector<RunResult>& results,
                                                        const RunsByCase& runs) {
    std::map<std::string, EarlierCampaign> campaigns;  // by id
    for (const RunResult& result : results) {
        const auto run = runs.find(result.benchmarkCase);
        if (result.origin == Origin::Own && run != runs.end() &&
            launch::isFigureOf(run->second.range, result)) {
            EarlierCampaign& one = campaigns[result.campaign];
            one.series = seriesCampaign(result);
            ++one.figures;
        }
    }
    return campaigns;
}

// Why the campaign's figures are no others of the same series; empty where they are.
std::string differenceOf(const store::Workspace& workspace, const std::string& id, const RunsByCase& runs,
                         const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    const auto inputs = readInputs(workspace, id);
    const auto earlier =
        inputs ? wholePlan(*inputs, vocabulary, formats) : Result<RunsByCase>(Failure(inputs.error()));
    if (!earlier) {
        return "its plan cannot be read";
    }
    for (const auto& [benchmarkCase, run] : *earlier) {
        const auto same = runs.find(benchmarkCase);
        if (auto what = same == runs.end() ? std::string() : launch::launchDifference(run, same->second);
            !what.empty()) {
            return what;
        }
    }
    return {};
}

}  // namespace

Result<Completion> completionOf(const store::Workspace& workspace, const CampaignInputs& inputs,
                                const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    const auto runs = TRY(wholePlan(inputs, vocabulary, formats));
    const auto stored = TRY(store::readResults(workspace));
    const auto earlier = earlierCampaigns(stored.results, runs);
    std::map<std::string, int> figures;          // by series
    std::map<std::string, std::string> reasons;  // by campaign; empty of those that are alike
    for (const auto& [id, one] : earlier) {
        const std::string& reason = reasons[id] = differenceOf(workspace, id, runs, vocabulary, formats);
        if (reason.empty()) {
            figures[one.series] += one.figures;
        }
    }
    Completion completion;
    for (const auto& [series, count] : figures) {
        if (completion.campaign.empty() || count >= figures[completion.campaign]) {
            completion.campaign = series;
        }
    }
    for (const auto& [id, one] : earlier) {
        if (one.series != completion.campaign) {
            const std::string& reason = reasons[id];
            completion.apart.push_back(fmt::format("{} ({})", id, reason.empty() ? "fewer figures" : reason));
        }
    }
    return completion;
}

}  // namespace dlperf::run
