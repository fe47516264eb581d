// SPDX-License-Identifier: Apache-2.0
#include "core/report/data_table.h"

#include "core/base/text.h"
#include "core/report/difference.h"
#include "core/report/escape.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

TableCell number(std::optional<double> value) {
    return {.number = value};
}

using Ends = std::optional<analysis::Interval>;

// Findings stand a line each; a field of a table for programs is one line.
std::string oneLine(std::string text) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
        text.replace(at, 1, "; ");
    }
    return text;
}

TableCell low(const Ends& interval) {
    return number(interval ? std::optional(interval->low) : std::nullopt);
}

TableCell high(const Ends& interval) {
    return number(interval ? std::optional(interval->high) : std::nullopt);
}

// To the best of the same topology: how much, whether they differ, and p.
void addDifference(const Comparison& comparison, const Cell& cell, std::vector<TableCell>& row) {
    const ComparedSeries* best = bestAt(comparison, cell.topology);
    const Cell* other = best == nullptr ? nullptr : findCell(*best, cell.topology);
    const auto difference = other == nullptr || other == &cell ? std::nullopt : differenceOf(cell, *other);
    row.push_back(number(difference ? std::optional(difference->relative) : std::nullopt));
    row.push_back(textCell(difference ? verdictText(difference->verdict) : ""));
    row.push_back(number(difference ? difference->p : std::nullopt));
}

std::vector<TableCell> rowOf(const Comparison& comparison, const ComparedSeries& series, const Cell& cell) {
    const Subject& subject = series.key.subject;
    std::vector<std::string> repetitions;
    for (const double figure : cell.repetitions) {
        repetitions.push_back(csvNumber(figure));
    }
    std::vector<TableCell> row{textCell(series.title),
                               textCell(subject.framework),
                               textCell(subject.implementation),
                               textCell(subject.model),
                               textCell(subject.precision),
                               subject.batchSize > 0 ? number(subject.batchSize) : TableCell{},
                               textCell(join(subject.features, " ")),
                               textCell(variantText(subject)),
                               textCell(toString(series.key.origin)),
                               textCell(series.key.campaign),
                               textCell(toString(cell.topology)),
                               number(cell.topology.nodes),
                               number(cell.topology.devices),
                               number(cell.fold.median),
                               low(cell.interval),
                               high(cell.interval),
                               number(cell.fold.average),
                               number(cell.fold.minimum),
                               number(cell.fold.maximum),
                               textCell(series.unit),
                               number(cell.speedup),
                               low(cell.speedupInterval),
                               high(cell.speedupInterval),
                               textCell(speedupBaseText(comparison)),
                               number(cell.efficiency),
                               number(static_cast<double>(cell.repetitions.size())),
                               number(cell.failed),
                               number(cell.excluded),
                               textCell(join(repetitions, ";")),
                               textCell(cell.missing),
                               textCell(oneLine(findingText(cell.findings, false))),
                               number(cell.memoryMb),
                               textCell(join(series.sources, "; "))};
    addDifference(comparison, cell, row);
    return row;
}

}  // namespace

Table dataTable(const Report& report) {
    Table table;
    for (const char* title : {"series",           "framework",
                              "implementation",   "model",
                              "precision",        "batch_size_per_device",
                              "features",         "variant",
                              "origin",           "campaign",
                              "topology",         "nodes",
                              "devices_per_node", "median",
                              "median_low",       "median_high",
                              "average",          "minimum",
                              "maximum",          "unit",
                              "speedup",          "speedup_low",
                              "speedup_high",     "speedup_base",
                              "efficiency",       "runs",
                              "failed",           "excluded",
                              "repetitions",      "missing",
                              "finding",          "memory_mb",
                              "sources",          "to_best",
                              "difference",       "p"}) {
        table.columns.push_back({title});
    }
    for (const ReportSection& section : report.sections) {
        if (section.batchSizes) {
            continue;
        }
        for (const ComparedSeries& series : section.comparison.series) {
            for (const Cell& cell : series.cells) {
                table.rows.push_back(rowOf(section.comparison, series, cell));
            }
        }
    }
    return table;
}

}  // namespace dlperf::report
