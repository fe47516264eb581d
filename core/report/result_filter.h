// SPDX-License-Identifier: Apache-2.0
// Which results are compared: what Compare's filters choose, and what a stored view names.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/report/comparison.h"

namespace dlperf::report {

enum class Source { Own, Imported, ReportV1, Readmes, OtherReports };

[[nodiscard]] Source sourceOf(const RunResult& result);

inline constexpr const char* allModels = "*";

struct ResultFilter {
    std::string model;  // an id of modelChoices(), or allModels
    std::set<std::string> precisions;
    std::set<int> batchSizes;
    std::set<Topology> hiddenTopologies;
    std::set<Source> sources;
    std::set<std::string> campaigns{};       // only of these; empty: of any
    std::set<std::string> hiddenFeatures{};  // ids; "" for results without features
    bool onlyFindings = false;               // only series with a finding
    bool hideSingles = false;                // no series that was run once only

    // Ignores topologies and what is known of whole series only (findings, repetitions).
    [[nodiscard]] bool passes(const RunResult& result) const;
    [[nodiscard]] bool passes(const ComparedSeries& series) const;
    friend bool operator==(const ResultFilter&, const ResultFilter&) = default;
};

// Model ids, one for each family: "r50-v1b" belongs to "r50" where both are there.
[[nodiscard]] std::vector<std::string> modelChoices(const std::vector<RunResult>& results);

struct FilterChoices {
    std::vector<std::string> models;
    std::map<std::string, int> precisions;  // of the chosen model and sources
    std::map<int, int> batchSizes;
    std::set<Topology> topologies;        // of what passes the filter
    std::map<Source, int> sources;        // of the chosen model
    std::map<std::string, int> features;  // of what passes but for its features; "" for none
    int left = 0;                         // results of the chosen model and sources that do not pass
};
[[nodiscard]] FilterChoices choicesFor(const std::vector<RunResult>& results, const ResultFilter& filter);

// All that the chosen model has of the chosen sources.
void showAll(ResultFilter& filter, const std::vector<RunResult>& results);

// Own runs first: the model, precisions and batch sizes of the newest campaign; without any, those of the
// last import; without any, DLPerf's report v1 on ResNet50, fp32, batch size 128.
[[nodiscard]] ResultFilter firstFilter(const std::vector<RunResult>& results);

// Completes chips that would leave nothing of a source by its most frequent ones.
void makeVisible(ResultFilter& filter, Source source, const std::vector<RunResult>& results);

// The same for an import: chooses its model, or all where it has several, and unhides its results. False if
// it has no figure.
[[nodiscard]] bool makeVisible(ResultFilter& filter, const std::string& import,
                               const std::vector<RunResult>& results);

}  // namespace dlperf::report
