// SPDX-License-Identifier: Apache-2.0
// What the tests of reports share: the project's own words and figures, and results to vary.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/comparison.h"
#include "core/store/results.h"

namespace dlperf::report::test {

inline std::filesystem::path resources() {
    return std::filesystem::path(DLPERF_SOURCE_DIR) / "resources";
}

template <class T>
T orThrow(Result<T> result) {
    if (!result) {
        throw std::runtime_error(describe(result.error()));
    }
    return *std::move(result);
}

inline const Vocabulary& vocabulary() {
    static const Vocabulary words = orThrow(Vocabulary::fromFile(resources() / "vocabulary.json"));
    return words;
}

inline const std::vector<RunResult>& published() {
    static const auto results =
        orThrow(store::readPublished(resources() / "published" / "dlperf.json", vocabulary()));
    return results;
}

inline RunResult ownRun(Topology topology, int repetition, double throughput) {
    RunResult result;
    result.campaign = "2026-11-21";
    result.id = result.campaign + "/" + toString(topology) + "-" + std::to_string(repetition);
    result.benchmarkCase.topology = topology;
    Configuration& configuration = result.benchmarkCase.configuration;
    configuration.recipe = "dlperf-worker";
    configuration.framework = "dlperf-worker";
    configuration.implementation = "dlperf-worker";
    configuration.model = "r50";
    configuration.precision = "fp32";
    configuration.batchSize = 128;
    result.repetition = repetition;
    result.outcome = Outcome::Ok;
    result.throughput = throughput;
    result.format = "dlperf-worker";
    result.range = {20, 120};
    return result;
}

// A figure as a source quotes it, of ResNet50 v1.5, fp32, batch size 128.
inline RunResult quotedRun(const std::string& implementation, Topology topology, double throughput) {
    RunResult result = ownRun(topology, 0, throughput);
    result.origin = Origin::Published;
    result.campaign = "report";
    result.format.clear();
    Configuration& configuration = result.benchmarkCase.configuration;
    configuration.recipe.clear();
    configuration.implementation = vocabulary().id(WordKind::Implementation, implementation);
    const Word* word = vocabulary().find(WordKind::Implementation, configuration.implementation);
    configuration.framework = word == nullptr ? implementation : word->framework;
    return result;
}

inline const ComparedSeries& seriesOf(const Comparison& comparison, const std::string& title) {
    for (const ComparedSeries& series : comparison.series) {
        if (series.title == title) {
            return series;
        }
    }
    throw std::runtime_error("there is no series " + title);
}

inline bool warns(const std::vector<std::string>& warnings, const std::string& beginning) {
    for (const std::string& warning : warnings) {
        if (warning.starts_with(beginning)) {
            return true;
        }
    }
    return false;
}

inline bool warns(const std::vector<Warning>& warnings, const std::string& beginning) {
    return warns(warningTexts(warnings), beginning);
}

}  // namespace dlperf::report::test
