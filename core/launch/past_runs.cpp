// SPDX-License-Identifier: Apache-2.0
#include "core/launch/past_runs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/summary.h"
#include "core/base/mapped.h"

namespace dlperf::launch {
namespace {

struct Missing {
    int runs = 0;
    MeasurementRange range{};
};

// How many runs each case still needs. Those over another range give another figure.
std::map<Case, Missing> missingRuns(const PreparedPlan& prepared, std::span<const RunResult> results) {
    std::map<Case, Missing> missing;
    for (const PlannedRun& run : prepared.runs) {
        Missing& of = missing[run.benchmarkCase];
        ++of.runs;
        of.range = run.range;
    }
    for (const RunResult& result : results) {
        const auto found = missing.find(result.benchmarkCase);
        if (found != missing.end() && found->second.runs > 0 && isFigureOf(found->second.range, result)) {
            --found->second.runs;
        }
    }
    return missing;
}

// launch.sh, the files beside it, and when its trainer is stopped.
auto scriptOf(const PlannedRun& run) {
    std::vector<std::tuple<std::string, std::string, bool>> files;
    if (run.files) {
        files = mapped(*run.files, [](const RecipeFile& file) {
            return std::tuple(file.name, file.bytes, file.executable);
        });
    }
    return std::tuple(run.script, std::move(files), run.stop, run.logFile, run.settlesAfterRange);
}

auto environmentOf(const NodeLaunch& launch) {
    return std::tie(launch.environment, launch.secrets, launch.setup, launch.startsScript);
}

// Packages, and the trainer's checkout.
auto packagesOf(const NodeLaunch& launch) {
    return launch.needs
               ? std::tuple(launch.needs->python, launch.needs->source)
               : std::tuple<std::optional<cluster::PythonNeeds>, std::optional<cluster::SourceNeeds>>();
}

}  // namespace

bool isFigureOf(const MeasurementRange& range, const RunResult& result) {
    return result.origin == Origin::Own && result.outcome == Outcome::Ok && !result.excluded &&
           result.originalRange.value_or(result.range) == range;
}

std::size_t doneCases(const PreparedPlan& prepared, std::span<const RunResult> results) {
    const auto missing = missingRuns(prepared, results);
    return static_cast<std::size_t>(
        std::ranges::count_if(missing, [](const auto& one) { return one.second.runs == 0; }));
}

Plan withoutDoneCases(Plan plan, const PreparedPlan& prepared, std::span<const RunResult> results) {
    if (plan.addsRuns()) {
        return plan;
    }
    for (const auto& [benchmarkCase, missing] : missingRuns(prepared, results)) {
        if (missing.runs > 0) {
            const Configuration& configuration = benchmarkCase.configuration;
            plan.only.push_back({configuration.recipe, benchmarkCase.topology, configuration.batchSize,
                                 configuration.precision, configuration.features, configuration.variant,
                                 missing.runs});
        }
    }
    plan.completesEarlier = !plan.only.empty();
    return plan;
}

std::string launchDifference(const PlannedRun& one, const PlannedRun& other) {
    const std::pair<const char*, bool> same[] = {
        {"another measurement range", one.range == other.range},
        {"another unit", one.unit == other.unit},
        {"another log format", one.format == other.format && one.formatRow == other.formatRow},
        {"another script", scriptOf(one) == scriptOf(other)},
        {"other nodes", std::ranges::equal(one.nodes, other.nodes, {}, &NodeLaunch::node, &NodeLaunch::node)},
        {"another environment", std::ranges::equal(one.nodes, other.nodes, {}, environmentOf, environmentOf)},
        {"other packages", std::ranges::equal(one.nodes, other.nodes, {}, packagesOf, packagesOf)}};
    const auto* const found = std::ranges::find(same, false, &std::pair<const char*, bool>::second);
    return found == std::end(same) ? std::string() : found->first;
}

// Where the figure does not tell how long an iteration took, the whole time counts as theirs.
ExpectedTimes::Took ExpectedTimes::tookOf(const RunResult& result) {
    const double whole = std::chrono::duration<double>(*result.ended - *result.started).count();
    const double iterations = result.originalRange.value_or(result.range).train;
    const double figure = result.throughput.value_or(0);
    const Case& ran = result.benchmarkCase;
    const double samples = double{1} * ran.configuration.batchSize * ran.topology.worldSize();
    if (iterations <= 0) {
        return {whole, 0};
    }
    if (!(figure > 0) || !(samples > 0) || result.unit != RunResult().unit) {
        return {0, whole / iterations};
    }
    const double iteration = std::min(samples / figure, whole / iterations);
    return {whole - iterations * iteration, iteration};
}

template <class Key>
std::map<Key, ExpectedTimes::Took> ExpectedTimes::medians(const std::map<Key, std::vector<Took>>& all) {
    std::map<Key, Took> found;
    for (const auto& [key, times] : all) {
        std::vector<double> starts;
        std::vector<double> iterations;
        for (const Took& took : times) {
            starts.push_back(took.start);
            iterations.push_back(took.iteration);
        }
        found.emplace(key, Took{analysis::medianOf(starts), analysis::medianOf(iterations)});
    }
    return found;
}

ExpectedTimes::ExpectedTimes(std::span<const RunResult> own) {
    std::map<Case, std::vector<Took>> cases;
    std::map<Configuration, std::vector<Took>> configurations;
    for (const RunResult& result : own) {
        if (result.outcome == Outcome::Ok && result.started && result.ended) {
            const Took took = tookOf(result);
            cases[result.benchmarkCase].push_back(took);
            configurations[result.benchmarkCase.configuration].push_back(took);
        }
    }
    cases_ = medians(cases);
    configurations_ = medians(configurations);
}

std::optional<std::chrono::seconds> ExpectedTimes::of(const PlannedRun& run) const {
    const auto timeOf = [&run](const Took& took) {
        return std::chrono::seconds(std::lround(took.start + took.iteration * run.range.train));
    };
    if (const auto same = cases_.find(run.benchmarkCase); same != cases_.end()) {
        return timeOf(same->second);
    }
    const auto similar = configurations_.find(run.benchmarkCase.configuration);
    return similar == configurations_.end() ? std::nullopt : std::optional(timeOf(similar->second));
}

}  // namespace dlperf::launch
