// SPDX-License-Identifier: Apache-2.0
#include "core/report/comparison.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/model/campaign.h"
#include "core/report/cancelled_cases.h"
#include "core/report/compare_steps.h"
#include "core/report/series_colours.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

using Runs = std::vector<const RunResult*>;
constexpr double infinity = std::numeric_limits<double>::infinity();

using Place = std::tuple<Topology, int>;  // and repetition
using Statement = std::tuple<Topology, int, Outcome, bool, std::optional<double>, std::optional<double>>;

struct Statements {
    std::set<Statement> statements;
    std::map<Place, double> speedups;
};

Statements saidBy(const Runs& runs) {
    Statements said;
    for (const RunResult* run : runs) {
        const Topology& topology = run->benchmarkCase.topology;
        said.statements.insert(
            {topology, run->repetition, run->outcome, run->excluded, run->throughput, run->memoryMb});
        if (run->quotedSpeedup) {
            said.speedups.insert({{topology, run->repetition}, *run->quotedSpeedup});
        }
    }
    return said;
}

bool saysAllOf(const Statements& one, const Statements& other) {
    const bool agree = std::ranges::all_of(other.speedups, [&](const auto& quoted) {
        const auto found = one.speedups.find(quoted.first);
        return found == one.speedups.end() || found->second == quoted.second;
    });
    return agree && std::includes(one.statements.begin(), one.statements.end(), other.statements.begin(),
                                  other.statements.end());
}

struct MergeGroup {
    SeriesRuns series;
    Statements said;
};

void addTo(MergeGroup& into, const SeriesRuns& series, const Statements& said) {
    into.series.sources.push_back(series.key.campaign);
    for (const RunResult* run : series.runs) {
        if (run->quotedSpeedup) {
            into.series.runs.push_back(run);
        }
    }
    into.said.speedups.insert(said.speedups.begin(), said.speedups.end());
}

// Of one configuration, from that which says most.
std::vector<SeriesRuns> merged(std::vector<SeriesRuns> quoted) {
    std::ranges::stable_sort(
        quoted, [](const SeriesRuns& a, const SeriesRuns& b) { return a.runs.size() > b.runs.size(); });
    std::vector<MergeGroup> groups;
    for (SeriesRuns& series : quoted) {
        Statements said = saidBy(series.runs);
        const auto home = std::ranges::find_if(
            groups, [&](const MergeGroup& group) { return saysAllOf(group.said, said); });
        if (home != groups.end()) {
            addTo(*home, series, said);
        } else {
            groups.push_back({std::move(series), std::move(said)});
        }
    }
    return mapped(groups, [](MergeGroup& group) { return std::move(group.series); });
}

std::string idOf(const SeriesKey& key) {
    const Configuration& configuration = key.configuration;
    const Json parts{toString(key.origin),         key.campaign,
                     configuration.recipe,         configuration.framework,
                     configuration.implementation, configuration.model,
                     configuration.precision,      configuration.features,
                     configuration.variant,        configuration.batchSize};
    return parts.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A campaign has one copy of its recipes: what one run recorded holds for all of the series.
Variant defaultsOf(const Runs& runs) {
    const auto recorded =
        std::ranges::find_if(runs, [](const RunResult* run) { return !run->defaults.empty(); });
    return recorded == runs.end() ? Variant() : (*recorded)->defaults;
}

std::vector<Topology> topologiesOf(std::span<const RunResult* const> results) {
    std::set<Topology> topologies;
    for (const RunResult* result : results) {
        topologies.insert(result->benchmarkCase.topology);
    }
    return {topologies.begin(), topologies.end()};
}

// The topology at which most series have a figure, the largest of these.
std::optional<std::size_t> largestCommon(const Comparison& comparison) {
    std::optional<std::size_t> best;
    long most = 0;
    for (std::size_t i = 0; i < comparison.topologies.size(); ++i) {
        const long count = std::ranges::count_if(comparison.series, [&](const ComparedSeries& one) {
            return one.cells[i].fold.median.has_value();
        });
        if (count > 0 && count >= most) {
            most = count;
            best = i;
        }
    }
    return best;
}

void sortBestFirst(Comparison& comparison) {
    const auto common = largestCommon(comparison);
    std::ranges::stable_sort(comparison.series, [&](const ComparedSeries& a, const ComparedSeries& b) {
        const auto figure = [&](const ComparedSeries& one) {
            const double worst = lowerIsBetter(one.unit) ? -infinity : -1;
            const auto median = common ? one.cells[*common].fold.median : std::nullopt;
            return !median ? worst : lowerIsBetter(one.unit) ? -*median : *median;
        };
        return figure(a) > figure(b);
    });
}

}  // namespace

SeriesKey seriesKeyOf(const RunResult& result) {
    return {result.benchmarkCase.configuration, result.origin, seriesCampaign(result)};
}

std::vector<SeriesRuns> mergeSources(std::map<SeriesKey, std::vector<const RunResult*>>&& runsByKey) {
    std::map<Configuration, std::vector<SeriesRuns>> published;
    std::vector<SeriesRuns> all;
    for (auto& [key, runs] : runsByKey) {
        if (key.origin == Origin::Published) {
            published[key.configuration].push_back({key, std::move(runs), {key.campaign}});
        } else {
            all.push_back({key, std::move(runs), {}});
        }
    }
    for (auto& [configuration, quoted] : published) {
        auto one = merged(std::move(quoted));
        std::ranges::move(one, std::back_inserter(all));
    }
    std::ranges::sort(all, [](const SeriesRuns& a, const SeriesRuns& b) { return a.key < b.key; });
    return all;
}

Comparison compare(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                   const analysis::FormatBook& formats) {
    return compareChosen(mapped(results, [](const RunResult& result) { return &result; }), vocabulary,
                         formats);
}

Comparison compareChosen(std::span<const RunResult* const> results, const Vocabulary& vocabulary,
                         const analysis::FormatBook& formats) {
    const CancelledCases cancelled(results);
    Runs wanted;
    std::ranges::copy_if(results, std::back_inserter(wanted),
                         [&](const RunResult* result) { return !cancelled.contains(*result); });
    std::map<SeriesKey, Runs> runs;
    for (const RunResult* result : wanted) {
        runs[seriesKeyOf(*result)].push_back(result);
    }
    Comparison comparison;
    comparison.topologies = topologiesOf(wanted);
    std::vector<SeriesRuns> merged = mergeSources(std::move(runs));
    const auto keys = mapped(merged, &SeriesRuns::key);
    const Titles titles = titlesOf(keys, vocabulary);
    comparison.title = titles.common;
    comparison.titleIsOfAll = titles.commonIsOfAll;
    for (std::size_t i = 0; i < merged.size(); ++i) {
        FoldedSeries folded = foldSeries(merged[i].runs, comparison.topologies, formats);
        comparison.series.push_back({keys[i], idOf(keys[i]), titles.series[i], merged[i].runs.front()->unit,
                                     0, std::move(folded.cells), std::move(folded.dataWarnings),
                                     std::move(folded.driver), std::move(merged[i].sources),
                                     campaignTitle(keys[i].campaign), defaultsOf(merged[i].runs)});
    }
    sortBestFirst(comparison);
    comparison = withLooks(std::move(comparison), SeriesLooks(keys, vocabulary));
    markFindings(comparison);
    comparison.warnings = warningsOf(comparison, vocabulary);
    return comparison;
}

bool holds(const ComparedSeries& series, const RunResult& result) {
    return series.key.configuration == result.benchmarkCase.configuration &&
           series.key.origin == result.origin &&
           (series.key.campaign == seriesCampaign(result) ||
            std::ranges::find(series.sources, result.campaign) != series.sources.end());
}

const Cell* findCell(const ComparedSeries& series, const Topology& topology) {
    const auto found =
        std::ranges::find_if(series.cells, [&](const Cell& cell) { return cell.topology == topology; });
    return found == series.cells.end() ? nullptr : &*found;
}

}  // namespace dlperf::report
