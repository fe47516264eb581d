// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/json_table.h"

#include <fmt/format.h>

#include "core/analysis/format_row.h"
#include "core/base/json.h"

namespace dlperf::analysis {
namespace {

std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', /*ensure_ascii=*/true);
}

std::string number(const std::optional<double>& value, const FoldRule& rule) {
    const auto shown = printed(value, rule);
    return shown ? pythonNumber(*shown) : "null";
}

std::string caseObject(const CaseSummary& summary, const FoldRule& rule) {
    return fmt::format(
        R"({}: {{"average_speed": {}, "batch_size_per_device": {}, "median_speed": {}, "speedup": {}}})",
        quoted(summary.topologyName), number(summary.fold.average, rule), summary.shape.batchSize,
        number(summary.fold.median, rule), number(summary.speedup, rule));
}

}  // namespace

std::string toJson(const Analysis& analysis) {
    std::string models;
    for (const ModelSummary& model : analysis.models) {
        std::string cases;
        for (const CaseSummary& summary : model.cases) {
            if (!cases.empty()) cases += ", ";
            cases += caseObject(summary, analysis.format->fold);
        }
        models += fmt::format("{}{}: {{{}}}", models.empty() ? "" : ", ", quoted(model.name), cases);
    }
    return "{" + models + "}";
}

}  // namespace dlperf::analysis
