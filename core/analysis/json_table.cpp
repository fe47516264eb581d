// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/json_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "core/analysis/format_row.h"
#include "core/base/json.h"
#include "core/base/text.h"

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

// A word of the log's header as a JSON number where it is one; null where the header does not say it.
std::string headerNumber(const AnalyzedLog& log, const char* key) {
    const auto found = log.figure.header.find(key);
    if (found == log.figure.header.end()) {
        return "null";
    }
    const auto number = toInt(found->second);
    return number ? std::to_string(*number) : quoted(cleanUtf8(found->second));
}

// HugeCTR says how much memory the wide part's table may take: four bytes an entry, in whole millions.
std::string vocabularySize(const AnalyzedLog& log) {
    const auto space = log.figure.header.find("wide_workspace_size_per_gpu_in_mb");
    if (space == log.figure.header.end()) {
        return headerNumber(log, "deep_vocab_size");
    }
    constexpr int most = 1 << 20;
    const auto megabytes = toInt(space->second);
    if (!megabytes || *megabytes < 0 || *megabytes > most) {
        return "null";
    }
    constexpr std::int64_t million = 1'000'000;
    return std::to_string(std::int64_t{*megabytes} * 1048576 / 4 / million * million);
}

// Of the header, whole or in part.
std::string shapeNumber(const AnalyzedLog& log, int Topology::*part, const char* key) {
    const auto& shape = log.figure.headerShape;
    return shape ? std::to_string(shape->topology.*part) : headerNumber(log, key);
}

std::string latencyObject(const CaseSummary& summary, const AnalyzedLog& log) {
    return fmt::format(
        R"({}: {{"batch_size": {}, "deep_embedding_vec_size": {}, "vocab_size": {}, "gpus_per_node": {}, )"
        R"("hidden_units_num": {}, "latency_ms": {}, "memory_mb": {}, "nodes": {}}})",
        quoted(summary.topologyName), headerNumber(log, "batch_size"),
        headerNumber(log, "deep_embedding_vec_size"), vocabularySize(log),
        shapeNumber(log, &Topology::devices, "gpu_num_per_node"), headerNumber(log, "hidden_units_num"),
        summary.fold.median ? pythonNumber(*summary.fold.median) : "null",
        log.memoryMiB ? std::to_string(*log.memoryMiB) : "null",
        shapeNumber(log, &Topology::nodes, "num_nodes"));
}

}  // namespace

std::string toJson(const Analysis& analysis) {
    std::string models;
    for (const ModelSummary& model : analysis.models) {
        std::string cases;
        for (const CaseSummary& summary : model.cases) {
            if (!cases.empty()) {
                cases += ", ";
            }
            cases += measuresLatency(*model.format) ? latencyObject(summary, analysis.logs[summary.log])
                                                    : caseObject(summary, model.format->fold);
        }
        models += fmt::format("{}{}: {{{}}}", models.empty() ? "" : ", ", quoted(model.name), cases);
    }
    return "{" + models + "}";
}

std::string pythonNumber(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "Infinity" : "-Infinity";
    }
    // Python writes an exponent below 1e-4 and from 1e16 on; the digits are the same shortest ones.
    const double size = std::abs(value);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                       plain ? std::chars_format::fixed : std::chars_format::scientific);
    std::string number(text.data(), written.ptr);
    if (plain && number.find('.') == std::string::npos) {
        number += ".0";
    }
    return number;
}

}  // namespace dlperf::analysis
