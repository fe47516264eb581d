// SPDX-License-Identifier: Apache-2.0
#include "core/run/retry.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/store/ranges.h"

namespace dlperf::run {
bool mayRetry(const RunState& run) {
    // A longer range that its log does not hold is no fault of the run: it would end as it did.
    return run.phase == RunPhase::Finished && run.outcome != Outcome::Ok && !run.alreadyThere &&
           !run.deleted && run.originalOutcome.value_or(run.outcome) != Outcome::Ok;
}

bool isWorthRetrying(const RunState& run) {
    return mayRetry(run) && run.originalOutcome.value_or(run.outcome) != Outcome::Oom;
}

std::set<std::string> retryable(const Campaign& campaign) {
    std::set<std::string> ids;
    for (const RunState& run : campaign.runs) {
        if (isWorthRetrying(run)) {
            ids.insert(run.id);
        }
    }
    return ids;
}

Result<void> retryRuns(const store::Workspace& workspace, const std::string& campaignId,
                       std::set<std::string> runIds) {
    auto campaign = TRY(readCampaign(workspace, campaignId));
    TRY(replaySoundJournal(workspace, campaign));
    const auto ranges = store::readRanges(workspace);
    for (RunState& run : campaign.runs) {
        if (ranges && run.phase == RunPhase::Finished) {
            store::applyRange(*ranges, run);
        }
    }
    if (runIds.empty()) {
        runIds = retryable(campaign);
    }
    std::vector<Event> events;
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        const RunState& run = campaign.runs[number];
        if (mayRetry(run) && runIds.erase(run.id) != 0) {
            events.push_back({event::Retried{}, number});
        }
    }
    if (!runIds.empty()) {
        return fail("has no run to retry of the id " + *runIds.begin(), "campaign " + campaignId,
                    "`dlperf status` lists the runs; one with a figure is not retried, and one that waits "
                    "runs with `dlperf resume`.");
    }
    if (events.empty()) {
        return fail("has no failed, cancelled or short run", "campaign " + campaignId,
                    "Name a run with --run to retry one that ran out of memory.");
    }
    for (const Event& event : events) {
        apply(campaign, event);
    }
    TRY(checkFolders(workspace, campaign));
    auto journal = TRY(Journal::open(journalFile(workspace, campaignId)));
    for (const Event& event : events) {
        TRY(journal.write(event));
    }
    return {};
}

namespace {

template <class Value>
void addOnce(std::vector<Value>& values, const Value& value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.push_back(value);
    }
}

// Adds to the plan what its search tried.
void addTrial(launch::Plan& plan, const launch::Search& search, const RunState& run) {
    const Configuration& configuration = run.benchmarkCase.configuration;
    if (search.option.empty()) {
        addOnce(plan.batchSizes, configuration.batchSize);
        return;
    }
    const auto own = configuration.variant.find(search.option);
    const auto byDefault = run.defaults.find(search.option);
    if (own != configuration.variant.end() || byDefault != run.defaults.end()) {
        addOnce(plan.options[configuration.recipe][search.option],
                own != configuration.variant.end() ? own->second : byDefault->second);
    }
}

}  // namespace

Result<launch::Plan> retryPlan(const launch::Plan& plan, const Campaign& campaign,
                               const std::set<std::string>& runIds) {
    launch::Plan retry = plan;
    retry.only.clear();
    retry.completesEarlier = false;
    retry.search.reset();
    retry.until.reset();
    for (const RunState& run : campaign.runs) {
        if (!runIds.contains(run.id)) {
            continue;
        }
        const Case& wanted = run.benchmarkCase;
        if (plan.search) {
            addTrial(retry, *plan.search, run);
        }
        const auto known = std::find_if(retry.only.begin(), retry.only.end(),
                                        [&](const auto& planned) { return launch::isOf(planned, wanted); });
        if (known != retry.only.end()) {
            ++known->repetitions;
            continue;
        }
        retry.only.push_back({wanted.configuration.recipe, wanted.topology, wanted.configuration.batchSize,
                              wanted.configuration.precision, wanted.configuration.features,
                              wanted.configuration.variant, 1});
    }
    if (retry.only.empty()) {
        return fail("there is nothing to run again", campaign.id, "Choose runs without a figure.");
    }
    return retry;
}

Result<Retry> writeRetry(const store::Workspace& workspace, const Campaign& campaign,
                         const std::set<std::string>& runIds) {
    const auto folder = campaignFolder(workspace, campaign.id);
    const auto before = TRY(launch::readPlan(folder / "plan.json"));
    const auto plan = TRY(retryPlan(before, campaign, runIds));
    const auto plans = workspace.root() / "plans";
    TRY(makeFolders(plans));
    Retry retry{plans / ("retry-" + campaign.id + ".json"), folder / "cluster.json", folder / "recipes"};
    TRY(writeFileAtomically(retry.plan, launch::toJson(plan).dump(1) + "\n"));
    return retry;
}

}  // namespace dlperf::run
