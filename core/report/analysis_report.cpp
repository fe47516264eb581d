// SPDX-License-Identifier: Apache-2.0
#include "core/report/analysis_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/analysis/format_row.h"
#include "core/base/mapped.h"
#include "core/report/comparison.h"

namespace dlperf::report {
namespace {

TableCell figure(std::optional<double> value, const analysis::FoldRule& rule) {
    const auto printed = analysis::printed(value, rule);
    return printed ? TableCell{.text = fmt::format("{:.2f}", *printed), .number = printed} : TableCell{};
}

TableCell count(std::int64_t value) {
    return {.text = std::to_string(value), .number = static_cast<double>(value)};
}

std::vector<const analysis::CaseSummary*> ordered(const analysis::ModelSummary& model) {
    auto cases = mapped(model.cases, [](const analysis::CaseSummary& summary) { return &summary; });
    const auto place = [](const analysis::CaseSummary* one) {
        return std::tuple(-one->shape.batchSize, one->shape.topology.nodes, one->shape.topology.devices);
    };
    std::ranges::stable_sort(cases, [&](const auto* a, const auto* b) { return place(a) < place(b); });
    return cases;
}

// Wide & Deep: one row a log, as DLPerf's report has it.
Table latencyTable(const analysis::Analysis& analysis) {
    Table table;
    table.columns = {{"log"},
                     {"num_nodes", true},
                     {"gpu_num_per_node", true},
                     {"batch_size", true},
                     {"latency(ms)", true},
                     {"memory_usage(MB)", true}};
    for (const analysis::ModelSummary& model : analysis.models) {
        for (const analysis::CaseSummary& one : model.cases) {
            const analysis::AnalyzedLog& log = analysis.logs[one.log];
            TableCell latency;
            if (one.fold.median) {
                latency = {.text = fmt::format("{:.3f}", *one.fold.median), .number = one.fold.median};
            }
            TableCell memory;
            if (log.memoryMiB) {
                memory = {.text = std::to_string(*log.memoryMiB),
                          .number = static_cast<double>(*log.memoryMiB)};
            }
            table.rows.push_back({textCell(one.topologyName), count(one.shape.topology.nodes),
                                  count(one.shape.topology.devices), count(one.shape.globalBatchSize()),
                                  latency, memory});
        }
    }
    return table;
}

RunResult resultOf(const analysis::AnalyzedLog& log) {
    RunResult result;
    Configuration& configuration = result.benchmarkCase.configuration;
    configuration.recipe = analysis::name(*log.format);
    configuration.implementation = analysis::implementation(*log.format);
    configuration.model = log.model;
    configuration.precision = log.precision;
    configuration.batchSize = log.shape.batchSize;
    result.benchmarkCase.topology = log.shape.topology;
    result.repetition = std::max(1, log.repetition);  // 0 would be a figure that somebody quotes
    result.origin = Origin::Imported;
    result.outcome = log.folded ? Outcome::Ok : Outcome::Short;
    result.reason = log.folded ? std::string() : "no figure in the measurement range";
    result.throughput = log.figure.value;
    result.unit = analysis::unit(*log.format);
    result.format = analysis::name(*log.format);
    return result;
}

// A log that another one of its repetition replaced has a figure, too, but takes no part.
std::vector<RunResult> resultsOf(const analysis::Analysis& analysis) {
    std::vector<RunResult> results;
    for (const analysis::AnalyzedLog& log : analysis.logs) {
        const bool replaced = log.figure.value && !log.folded;
        if (!replaced && !analysis::measuresLatency(*log.format)) {
            results.push_back(resultOf(log));
        }
    }
    return results;
}

// "r50 b128 fp32"; behind it the format, where a folder mixes several.
std::string seriesName(const Configuration& configuration, bool mixesFormats) {
    std::string name = fmt::format("{} b{}", configuration.model, configuration.batchSize);
    name += configuration.precision.empty() ? "" : " " + configuration.precision;
    return mixesFormats ? name + " " + configuration.recipe : name;
}

bool mixesFormats(const analysis::Analysis& analysis) {
    return std::ranges::any_of(analysis.logs, [&](const analysis::AnalyzedLog& log) {
        return log.format != analysis.logs.front().format;
    });
}

}  // namespace

Table tableOf(const analysis::Analysis& analysis) {
    if (measuresLatency(*analysis.format)) return latencyTable(analysis);
    Table table;
    table.columns = {{"model"},
                     {"num_nodes", true},
                     {"gpu_num_per_node", true},
                     {"batch_size_per_device", true},
                     {"runs", true},
                     {"average", true},
                     {"median " + analysis.format->unit, true},
                     {"speedup", true}};
    for (const analysis::ModelSummary& model : analysis.models) {
        const analysis::FoldRule& rule = model.format->fold;
        for (const analysis::CaseSummary* one : ordered(model)) {
            table.rows.push_back({textCell(model.name), count(one->shape.topology.nodes),
                                  count(one->shape.topology.devices), count(one->shape.batchSize),
                                  count(one->fold.count), figure(one->fold.average, rule),
                                  figure(one->fold.median, rule), figure(one->speedup, rule)});
        }
    }
    return table;
}

std::vector<analysis::Finding> findingsBetween(const analysis::Analysis& analysis,
                                               const Vocabulary& vocabulary) {
    std::vector<analysis::Finding> findings;
    const bool mixed = mixesFormats(analysis);
    const Comparison comparison = compare(resultsOf(analysis), vocabulary, analysis.formats);
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            for (const CellFinding& finding : cell.findings) {
                if (finding.kind == FindingKind::NoBase) {
                    continue;  // the analysis says it, with what DLPerf's extractor makes of it
                }
                findings.push_back(
                    {keyOf(finding.kind), findingText(finding, true),
                     seriesName(series.key.configuration, mixed) + ", " + toString(cell.topology)});
            }
        }
    }
    return findings;
}

}  // namespace dlperf::report
