// SPDX-License-Identifier: Apache-2.0
#include "core/run/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

// The cases of one search are alike but for what it looks for.
Case withoutValue(const launch::Search& search, Case searched) {
    if (search.option.empty()) {
        searched.configuration.batchSize = 0;
    } else {
        searched.configuration.variant.erase(search.option);
    }
    return searched;
}

std::string defaultOf(const RunState& run, const std::string& option) {
    const auto found = run.defaults.find(option);
    return found == run.defaults.end() ? std::string() : found->second;
}

// An option that is searched is a number, see launch::prepare(); 0 where campaign.json was changed.
int valueOf(const launch::Search& search, const RunState& run) {
    const Configuration& configuration = run.benchmarkCase.configuration;
    if (search.option.empty()) {
        return configuration.batchSize;
    }
    const auto own = configuration.variant.find(search.option);
    const std::string value =
        own == configuration.variant.end() ? defaultOf(run, search.option) : own->second;
    return toInt(value).value_or(0);
}

WantedRun wantedLike(const Campaign& campaign, std::size_t like, int value) {
    const RunState& run = campaign.runs[like];
    const Configuration& configuration = run.benchmarkCase.configuration;
    const std::string& option = campaign.search->option;
    if (option.empty()) {
        return {like, value, {}};
    }
    Variant variant = configuration.variant;
    variant[option] = std::to_string(value);
    if (variant[option] == defaultOf(run, option)) {
        variant.erase(option);
    }
    return {like, configuration.batchSize, std::move(variant)};
}

// Whatever range somebody measures it over by now.
Outcome outcomeOf(const RunState& run) {
    return run.originalOutcome.value_or(run.outcome);
}

double throughputOf(const RunState& run) {
    return (run.originalOutcome ? run.originalThroughput : run.throughput).value_or(0);
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

// Why the search ended without an answer: by which trial. Empty if none of them did.
std::string failureOf(const Campaign& campaign, const SearchedCase& searched) {
    const std::string& option = campaign.search->option;
    for (std::size_t i = 0; i < searched.runs.size(); ++i) {
        const RunState& run = campaign.runs[searched.runs[i]];
        const Outcome outcome = outcomeOf(run);
        const bool isAnswer = option.empty() ? outcome == Outcome::Ok || outcome == Outcome::Oom
                                             : outcome == Outcome::Ok && throughputOf(run) > 0;
        if (run.phase == RunPhase::Finished && !isAnswer) {
            const std::string why = run.reason.empty() ? toString(run.outcome) : run.reason;
            return option.empty()
                       ? fmt::format("the search ended at batch size {}: {}", searched.values[i], why)
                       : fmt::format("the search ended at {} = {}: {}", option, searched.values[i], why);
        }
    }
    return {};
}

std::string describeOption(const launch::Search& search, const launch::SearchState& state) {
    const std::string& option = search.option;
    if (state.answer == search.most) {
        return fmt::format("{} = {} is the fastest, the largest that the plan lets try", option,
                           *state.answer);
    }
    if (state.answer && state.fails) {
        return fmt::format("{} = {} is the least that is as fast as any; {} is slower", option, *state.answer,
                           *state.fails);
    }
    if (state.answer) {
        return fmt::format("{} = {} is as fast as any", option, *state.answer);
    }
    return state.fits ? fmt::format("{} = {} is the fastest so far; the search goes on", option, *state.fits)
                      : "the search has tried nothing yet";
}

}  // namespace

std::vector<SearchedCase> searchedCases(const Campaign& campaign) {
    std::vector<SearchedCase> all;
    if (!campaign.search) {
        return all;
    }
    const launch::Search& search = *campaign.search;
    const auto keyOf = [&](const Case& searched) { return withoutValue(search, searched); };
    for (auto& [benchmarkCase, runs] : grouped(campaign, keyOf)) {
        SearchedCase one{benchmarkCase, std::move(runs), {}, false, {}};
        std::vector<launch::Trial> trials;
        for (const std::size_t number : one.runs) {
            const RunState& run = campaign.runs[number];
            one.values.push_back(valueOf(search, run));
            if (run.phase == RunPhase::Finished) {
                trials.push_back({one.values.back(), outcomeOf(run), throughputOf(run)});
            }
        }
        one.waits = trials.size() < one.runs.size();
        one.state = launch::stateOf(search, one.values.front(), trials);
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
        one.figures = figures.size();
        one.wantsAnother = isOpen && launch::wantsAnother(*campaign.until, figures);
        all.push_back(std::move(one));
    }
    return all;
}

std::string describeRepetitions(const Campaign& campaign, const RepeatedCase& repeated) {
    const std::size_t runs = repeated.figures;
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
    if (std::string failure = failureOf(campaign, searched); !failure.empty()) {
        return failure;
    }
    if (!campaign.search->option.empty()) {
        return describeOption(*campaign.search, state);
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
            wanted.push_back(wantedLike(campaign, one.runs.front(), *one.state.next));
        }
    }
    for (const RepeatedCase& one : repeatedCases(campaign)) {
        if (!one.waits && one.wantsAnother) {
            wanted.push_back({one.runs.front(), one.benchmarkCase.configuration.batchSize, {}});
        }
    }
    return wanted;
}

}  // namespace dlperf::run
