// SPDX-License-Identifier: Apache-2.0
#include "core/launch/done_cases.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dlperf::launch {
namespace {

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
                                 configuration.precision, configuration.features, missing});
        }
    }
    return plan;
}

}  // namespace dlperf::launch
