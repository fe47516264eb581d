// SPDX-License-Identifier: Apache-2.0
// All that is chosen on Compare, under a name: a file W/views/<name>.json.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/report/comparison.h"
#include "core/report/loss.h"
#include "core/report/pivot.h"
#include "core/report/result_filter.h"
#include "core/store/named_files.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// What the results table shows of a comparison, and in which order.
struct TableView {
    std::string topology{};  // "4n8g", or "all"; empty: the largest
    std::string sortedBy{};  // the name of a column; empty: the median
    bool descending = true;
    friend bool operator==(const TableView&, const TableView&) = default;
};

// What stands beside the filters; before and after stand alone, for campaigns are chosen there.
enum class CompareMode { Charts, Pivot, Table, Loss, BeforeAfter };

// Which campaigns are held against each other, and how that is shown.
struct BeforeAfterView {
    std::string before{};  // ids; empty: the last two of one plan
    std::string after{};
    int tolerance = 0;       // percent that a case may be worse by
    std::string sortedBy{};  // the name of a column; empty: the difference
    bool descending = false;
    friend bool operator==(const BeforeAfterView&, const BeforeAfterView&) = default;
};

struct CompareView {
    ResultFilter filter;
    std::set<std::string> hidden;  // series ids
    std::string speedupBase;       // a series id, or empty
    std::string baseline;          // a series id, or empty
    Spread spread = Spread::MinToMax;
    int throughput = 0;  // which of the switches of the left chart
    int scaling = 0;     // of the right chart
    bool logFigures = false;
    bool logAxes = true;
    std::string setting{};  // that the left chart is over; empty: the batch size
    TableView table{};
    CompareMode mode = CompareMode::Charts;
    PivotLayout pivot{};
    std::optional<PivotField> colouredBy{};  // none: what differs
    BeforeAfterView beforeAfter{};
    LossUnit lossUnit = LossUnit::Share;  // that "Where it goes" tells losses in
    friend bool operator==(const CompareView&, const CompareView&) = default;
};

[[nodiscard]] Json toJson(const CompareView& view);
// What is missing is as in a new view; an Input error for what is of the wrong type.
[[nodiscard]] Result<CompareView> parseView(const Json& json, const std::string& where);

using StoredViews = store::NamedFiles<CompareView>;
// Those of resources/views, and the workspace's, which may replace them.
[[nodiscard]] StoredViews readViews(const std::filesystem::path& resources,
                                    const store::Workspace& workspace);

}  // namespace dlperf::report
