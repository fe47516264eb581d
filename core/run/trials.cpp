// SPDX-License-Identifier: Apache-2.0
#include "core/run/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace dlperf::run {
namespace {

Case withoutBatchSize(Case searched) {
    searched.configuration.batchSize = 0;
    return searched;
}

int batchSizeOf(const RunState& run) {
    return run.benchmarkCase.configuration.batchSize;
}

// Whatever range somebody measures it over by now.
Outcome outcomeOf(const RunState& run) {
    return run.originalOutcome.value_or(run.outcome);
}

// The runs by what `keyOf` makes of their cases; with the case of the first one, in the order of these.
template <class KeyOf>
std::vector<std::pair<Case, std::vector<std::size_t>>> grouped(const Campaign& campaign, KeyOf keyOf) {
    std::vector<std::pair<Case, std::vector<std::size_t>>> groups;
    std::map<Case, std::size_t> places;
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        const Case& benchmarkCase = campaign.runs[number].benchmarkCase;
        const auto [place, isNew] = places.emplace(keyOf(benchmarkCase), groups.size());
        if (isNew) {
            groups.emplace_back(benchmarkCase, std::vector<std::size_t>());
        }
        groups[place->second].second.push_back(number);
    }
    return groups;
}

// The trial that ended a search without an answer; null if none did.
const RunState* failedTrial(const Campaign& campaign, const SearchedCase& searched) {
    for (const std::size_t number : searched.runs) {
        const RunState& run = campaign.runs[number];
        if (run.phase == RunPhase::Finished && outcomeOf(run) != Outcome::Ok &&
            outcomeOf(run) != Outcome::Oom) {
            return &run;
        }
    }
    return nullptr;
}

}  // namespace

std::vector<SearchedCase> searchedCases(const Campaign& campaign) {
    std::vector<SearchedCase> all;
    if (!campaign.search) {
        return all;
    }
    for (auto& [benchmarkCase, runs] : grouped(campaign, withoutBatchSize)) {
        SearchedCase one{benchmarkCase, std::move(runs), false, {}};
        std::vector<launch::Trial> trials;
        for (const std::size_t number : one.runs) {
            const RunState& run = campaign.runs[number];
            if (run.phase == RunPhase::Finished) {
                trials.push_back({batchSizeOf(run), outcomeOf(run)});
            }
        }
        one.waits = trials.size() < one.runs.size();
        one.state =
            launch::largestThatFits(*campaign.search, one.benchmarkCase.configuration.batchSize, trials);
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<RepeatedCase> repeatedCases(const Campaign& campaign) {
    std::vector<RepeatedCase> all;
    if (!campaign.until) {
        return all;
    }
    for (auto& [benchmarkCase, runs] : grouped(campaign, [](const Case& whole) { return whole; })) {
        RepeatedCase one{benchmarkCase, std::move(runs), false, false, {}};
        std::vector<double> figures;
        bool isOpen = true;
        for (const std::size_t number : one.runs) {
            const RunState& run = campaign.runs[number];
            one.waits = one.waits || run.phase != RunPhase::Finished;
            // A run without a figure would be repeated for ever; what somebody measures otherwise afterwards
            // is no reason to train again.
            isOpen = isOpen && (run.phase != RunPhase::Finished ||
                                (run.outcome == Outcome::Ok && run.throughput && !run.originalRange));
            if (run.phase == RunPhase::Finished && run.outcome == Outcome::Ok && run.throughput) {
                figures.push_back(*run.throughput);
            }
        }
        one.width = launch::intervalWidth(figures);
        one.wantsAnother = isOpen && launch::wantsAnother(*campaign.until, figures);
        all.push_back(std::move(one));
    }
    return all;
}

std::string describeRepetitions(const Campaign& campaign, const RepeatedCase& repeated) {
    const std::size_t runs = repeated.runs.size();
    const std::string width =
        repeated.width ? fmt::format("the 95 % interval of the median is {:.2f} % wide after {} runs",
                                     *repeated.width * 100, runs)
                       : fmt::format("{} runs are too few for an interval of the median", runs);
    if (repeated.waits || repeated.wantsAnother) {
        return width + "; more are to come";
    }
    const bool isNarrow =
        repeated.width && campaign.until && *repeated.width * 100 <= campaign.until->percent;
    return isNarrow ? width : width + "; no more are to come";
}

std::string describeSearch(const Campaign& campaign, const SearchedCase& searched) {
    const launch::SearchState& state = searched.state;
    if (const RunState* failed = failedTrial(campaign, searched)) {
        return fmt::format("the search ended at batch size {}: {}", batchSizeOf(*failed),
                           failed->reason.empty() ? toString(failed->outcome) : failed->reason);
    }
    if (state.answer && state.fails) {
        return fmt::format("the largest batch size that fits is {} a device; {} runs out of memory",
                           *state.answer, *state.fails);
    }
    if (state.answer) {
        return fmt::format("batch size {} a device fits, the largest that the plan lets try", *state.answer);
    }
    if (!state.next) {
        return fmt::format("no batch size fits; {} a device runs out of memory", state.fails.value_or(0));
    }
    if (state.fits && state.fails) {
        return fmt::format("batch size {} a device fits, {} runs out of memory; the search goes on",
                           *state.fits, *state.fails);
    }
    if (state.fits || state.fails) {
        return state.fits ? fmt::format("batch size {} a device fits; the search goes on", *state.fits)
                          : fmt::format("batch size {} a device runs out of memory; the search goes on",
                                        *state.fails);
    }
    return "the search has tried nothing yet";
}

std::vector<WantedRun> wantedRuns(const Campaign& campaign) {
    std::vector<WantedRun> wanted;
    for (const SearchedCase& one : searchedCases(campaign)) {
        if (!one.waits && one.state.next) {
            wanted.push_back({one.runs.front(), *one.state.next});
        }
    }
    for (const RepeatedCase& one : repeatedCases(campaign)) {
        if (!one.waits && one.wantsAnother) {
            wanted.push_back({one.runs.front(), one.benchmarkCase.configuration.batchSize});
        }
    }
    return wanted;
}

}  // namespace dlperf::run
