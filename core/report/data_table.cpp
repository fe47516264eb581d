// SPDX-License-Identifier: Apache-2.0
#include "core/report/data_table.h"

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

TableCell number(std::optional<double> value) {
    return {.number = value};
}

std::vector<TableCell> rowOf(const Comparison& comparison, const ComparedSeries& series, const Cell& cell) {
    const Subject& subject = series.key.subject;
    std::vector<std::string> repetitions;
    for (const double figure : cell.repetitions) {
        repetitions.push_back(csvNumber(figure));
    }
    return {textCell(series.title),
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
            number(cell.fold.average),
            number(cell.fold.minimum),
            number(cell.fold.maximum),
            textCell(series.unit),
            number(cell.speedup),
            textCell(speedupBaseText(comparison)),
            number(cell.efficiency),
            number(static_cast<double>(cell.repetitions.size())),
            number(cell.failed),
            number(cell.excluded),
            textCell(join(repetitions, ";")),
            textCell(cell.missing),
            textCell(cell.finding)};
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
                              "average",          "minimum",
                              "maximum",          "unit",
                              "speedup",          "speedup_base",
                              "efficiency",       "runs",
                              "failed",           "excluded",
                              "repetitions",      "missing",
                              "finding"}) {
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
