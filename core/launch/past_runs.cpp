// SPDX-License-Identifier: Apache-2.0
#include "core/launch/past_runs.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace dlperf::launch {
namespace {

using std::chrono::seconds;

template <class Key>
std::map<Key, seconds> medians(std::map<Key, std::vector<seconds>> durations) {
    std::map<Key, seconds> found;
    for (auto& [key, values] : durations) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::ranges::nth_element(values, middle);
        found.emplace(key, *middle);
    }
    return found;
}

// How many runs each case still needs.
std::map<Case, int> missingRuns(const PreparedPlan& prepared, std::span<const RunResult> results) {
    std::map<Case, int> missing;
    for (const PlannedRun& run : prepared.runs) {
        ++missing[run.benchmarkCase];
    }
    for (const RunResult& result : results) {
        const auto found = missing.find(result.benchmarkCase);
        if (found != missing.end() && found->second > 0 && result.outcome == Outcome::Ok &&
            !result.excluded) {
            --found->second;
        }
    }
    return missing;
}

}  // namespace

std::size_t doneCases(const PreparedPlan& prepared, std::span<const RunResult> results) {
    const auto missing = missingRuns(prepared, results);
    return static_cast<std::size_t>(std::ranges::count(missing, 0, &std::pair<const Case, int>::second));
}

Plan withoutDoneCases(Plan plan, const PreparedPlan& prepared, std::span<const RunResult> results) {
    for (const auto& [benchmarkCase, missing] : missingRuns(prepared, results)) {
        if (missing > 0) {
            const Configuration& configuration = benchmarkCase.configuration;
            plan.only.push_back({configuration.recipe, benchmarkCase.topology, configuration.batchSize,
                                 configuration.precision, configuration.features, configuration.variant,
                                 missing});
        }
    }
    return plan;
}

ExpectedTimes::ExpectedTimes(std::span<const RunResult> own) {
    std::map<Case, std::vector<seconds>> cases;
    std::map<Configuration, std::vector<seconds>> configurations;
    for (const RunResult& result : own) {
        if (result.outcome == Outcome::Ok && result.started && result.ended) {
            const auto duration = std::chrono::duration_cast<seconds>(*result.ended - *result.started);
            cases[result.benchmarkCase].push_back(duration);
            configurations[result.benchmarkCase.configuration].push_back(duration);
        }
    }
    cases_ = medians(std::move(cases));
    configurations_ = medians(std::move(configurations));
}

std::optional<seconds> ExpectedTimes::of(const Case& benchmarkCase) const {
    if (const auto same = cases_.find(benchmarkCase); same != cases_.end()) {
        return same->second;
    }
    const auto similar = configurations_.find(benchmarkCase.configuration);
    return similar == configurations_.end() ? std::nullopt : std::optional(similar->second);
}

}  // namespace dlperf::launch
