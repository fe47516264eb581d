// SPDX-License-Identifier: Apache-2.0
// What the workspace's finished runs say of a plan: which cases have their repetitions already, and how long
// the others may take.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/launch/plan.h"
#include "core/launch/prepare.h"

namespace dlperf::launch {

// Whether the result is a good run of its case over this range: another one gives another figure, and what
// was imported ran elsewhere.
[[nodiscard]] bool isFigureOf(const MeasurementRange& range, const RunResult& result);
// Cases of the plan that have as many good runs as it asks for, with its options as they stand now.
// Excluded runs, runs without a figure, those over another measurement range and imports do not count.
[[nodiscard]] std::size_t doneCases(const PreparedPlan& prepared, std::span<const RunResult> results);
// The plan without these cases, the others as often as they still need, to complete an earlier campaign. With
// none left it stays whole, as does one whose campaign adds runs.
[[nodiscard]] Plan withoutDoneCases(Plan plan, const PreparedPlan& prepared,
                                    std::span<const RunResult> results);

// What of two runs of one case could give them different figures: "another script"; empty if nothing.
[[nodiscard]] std::string launchDifference(const PlannedRun& one, const PlannedRun& other);

// A run takes a while whatever it measures (preparing, building a graph), and then a time for each iteration.
class ExpectedTimes {
public:
    ExpectedTimes() = default;
    explicit ExpectedTimes(std::span<const RunResult> own);

    // By the medians of the same case, else of the same one on another topology; nothing without any.
    [[nodiscard]] std::optional<std::chrono::seconds> of(const PlannedRun& run) const;

private:
    struct Took {  // seconds
        double start = 0;
        double iteration = 0;
    };
    [[nodiscard]] static Took tookOf(const RunResult& result);
    template <class Key>
    static std::map<Key, Took> medians(const std::map<Key, std::vector<Took>>& all);

    std::map<Case, Took> cases_;
    std::map<Configuration, Took> configurations_;
};

}  // namespace dlperf::launch
