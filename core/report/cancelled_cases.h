// SPDX-License-Identifier: Apache-2.0
// Cases of which the user cancelled every run of a series: nobody wants their figures any more, so they are
// counted only.
#pragma once

#include <set>
#include <span>
#include <utility>

#include "core/report/comparison.h"

namespace dlperf::report {

class CancelledCases {
public:
    explicit CancelledCases(std::span<const RunResult* const> results);
    explicit CancelledCases(const std::vector<RunResult>& results);

    [[nodiscard]] bool contains(const RunResult& run) const {
        return !cases_.empty() && cases_.contains(caseOf(run));
    }
    [[nodiscard]] std::size_t size() const { return cases_.size(); }

private:
    using SeriesCase = std::pair<SeriesKey, Topology>;
    static SeriesCase caseOf(const RunResult& run);

    std::set<SeriesCase> cases_;
};

}  // namespace dlperf::report
