// SPDX-License-Identifier: Apache-2.0
#include "core/report/compare_steps.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace dlperf::report {
namespace {

using Runs = std::vector<const RunResult*>;
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
    const bool agree = std::all_of(other.speedups.begin(), other.speedups.end(), [&](const auto& quoted) {
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
    std::stable_sort(quoted.begin(), quoted.end(),
                     [](const SeriesRuns& a, const SeriesRuns& b) { return a.runs.size() > b.runs.size(); });
    std::vector<MergeGroup> groups;
    for (SeriesRuns& series : quoted) {
        Statements said = saidBy(series.runs);
        const auto home = std::find_if(groups.begin(), groups.end(),
                                       [&](const MergeGroup& group) { return saysAllOf(group.said, said); });
        if (home != groups.end()) {
            addTo(*home, series, said);
        } else {
            groups.push_back({std::move(series), std::move(said)});
        }
    }
    std::vector<SeriesRuns> result;
    result.reserve(groups.size());
    for (MergeGroup& group : groups) {
        result.push_back(std::move(group.series));
    }
    return result;
}

}  // namespace

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
        std::move(one.begin(), one.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end(), [](const SeriesRuns& a, const SeriesRuns& b) { return a.key < b.key; });
    return all;
}

}  // namespace dlperf::report
