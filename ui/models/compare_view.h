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
#include "core/report/comparison.h"
#include "core/store/workspace.h"
#include "ui/models/result_filter.h"

namespace dlperf::ui {

struct CompareView {
    ResultFilter filter;
    std::set<std::string> hidden;  // series ids
    std::string speedupBase;       // a series id, or empty
    std::string baseline;          // a series id, or empty
    report::Spread spread = report::Spread::MinToMax;
    int throughput = 0;  // which of the switches of the left chart
    int scaling = 0;     // of the right chart
    bool logAxes = true;
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
