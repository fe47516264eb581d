// SPDX-License-Identifier: Apache-2.0
// All that is chosen on Compare, under a name: a file W/views/<name>.json.
#pragma once

#include <QString>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/case.h"
#include "core/report/comparison.h"
#include "core/store/workspace.h"

namespace dlperf::ui {

enum class Source { Own, Imported, ReportV1, Readmes, OtherReports };

[[nodiscard]] Source sourceOf(const RunResult& result);

// What Compare's filters choose.
struct ResultFilter {
    std::string model;  // an id of modelChoices()
    std::set<std::string> precisions;
    std::set<int> batchSizes;
    std::set<Topology> hiddenTopologies;
    std::set<Source> sources;
    std::set<std::string> hiddenFeatures;  // ids; "" for results without features
    bool onlyFindings = false;             // only series with a finding
    bool hideSingles = false;              // no series that was run once only

    // Ignores topologies and what is known of whole series only (findings, repetitions).
    [[nodiscard]] bool passes(const RunResult& result) const;
    [[nodiscard]] bool passes(const report::ComparedSeries& series) const;
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
};
[[nodiscard]] FilterChoices choicesFor(const std::vector<RunResult>& results, const ResultFilter& filter);

// Own runs first: the model, precisions and batch sizes of the newest campaign; without any, those of an
// import; without any, DLPerf's report v1 on ResNet50, fp32, batch size 128.
[[nodiscard]] ResultFilter firstFilter(const std::vector<RunResult>& results);

// Completes chips that would leave nothing of a source by its most frequent ones.
void makeVisible(ResultFilter& filter, Source source, const std::vector<RunResult>& results);

// The same for an import: chooses its model and unhides its results. False if it has no figure.
[[nodiscard]] bool makeVisible(ResultFilter& filter, const std::string& import,
                               const std::vector<RunResult>& results);

// What the results table shows of a comparison, and in which order.
struct TableView {
    std::string topology{};  // "4n8g", or "all"; empty: the largest
    std::string sortedBy{};  // the name of a column; empty: the median
    bool descending = true;
    friend bool operator==(const TableView&, const TableView&) = default;
};

struct CompareView {
    ResultFilter filter;
    std::set<std::string> hidden;  // series ids
    std::string speedupBase;       // a series id, or empty
    std::string baseline;          // a series id, or empty
    report::Spread spread = report::Spread::MinToMax;
    int throughput = 0;  // which of the switches of the left chart
    int scaling = 0;     // of the right chart
    bool logAxes = true;
    std::string setting{};  // that the left chart is over; empty: the batch size
    TableView table{};
    friend bool operator==(const CompareView&, const CompareView&) = default;
};

[[nodiscard]] Json toJson(const CompareView& view);
// What is missing is as in a new view; an Input error for what is of the wrong type.
[[nodiscard]] Result<CompareView> parseView(const Json& json, const std::string& where);

struct StoredViews {
    std::map<QString, CompareView> views;  // by name
    std::vector<Error> problems;           // files that cannot be read
};
[[nodiscard]] StoredViews readViews(const store::Workspace& workspace);
[[nodiscard]] Result<void> writeView(const store::Workspace& workspace, const QString& name,
                                     const CompareView& view);
[[nodiscard]] Result<void> removeView(const store::Workspace& workspace, const QString& name);

}  // namespace dlperf::ui
