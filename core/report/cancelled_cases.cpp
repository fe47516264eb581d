// SPDX-License-Identifier: Apache-2.0
#include "core/report/cancelled_cases.h"

#include "core/base/mapped.h"

namespace dlperf::report {

CancelledCases::SeriesCase CancelledCases::caseOf(const RunResult& run) {
    return {seriesKeyOf(run), run.benchmarkCase.topology};
}

CancelledCases::CancelledCases(std::span<const RunResult* const> results) {
    for (const RunResult* run : results) {
        if (run->outcome == Outcome::Cancelled) {
            cases_.insert(caseOf(*run));
        }
    }
    for (auto run = results.begin(); run != results.end() && !cases_.empty(); ++run) {
        if ((*run)->outcome != Outcome::Cancelled && (*run)->outcome != Outcome::NotRun) {
            cases_.erase(caseOf(**run));
        }
    }
}

CancelledCases::CancelledCases(const std::vector<RunResult>& results)
    : CancelledCases(mapped(results, [](const RunResult& result) { return &result; })) {}

}  // namespace dlperf::report
