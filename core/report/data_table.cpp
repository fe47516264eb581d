// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/base/text.h"
#include "core/report/difference.h"
#include "core/report/escape.h"
#include "core/report/report.h"
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

// One figure, and how it stands beside the best one of its topology.
struct Row {
    const Comparison& comparison;
    const ComparedSeries& series;
    const Cell& cell;
    const Configuration& configuration;
    std::optional<Difference> difference;
};

struct Column {
    const char* title;
    TableCell (*cellOf)(const Row& row);
};

TableCell repetitionsOf(const Row& row) {
    std::vector<std::string> repetitions;
    for (const double figure : row.cell.repetitions) {
        repetitions.push_back(csvNumber(figure));
    }
    return textCell(join(repetitions, ";"));
}

const std::array columns{
    Column{"series", [](const Row& row) { return textCell(row.series.title); }},
    Column{"framework", [](const Row& row) { return textCell(row.configuration.framework); }},
    Column{"implementation", [](const Row& row) { return textCell(row.configuration.implementation); }},
    Column{"model", [](const Row& row) { return textCell(row.configuration.model); }},
    Column{"precision", [](const Row& row) { return textCell(row.configuration.precision); }},
    Column{"batch_size_per_device",
           [](const Row& row) {
               const int size = row.configuration.batchSize;
               return size > 0 ? number(size) : TableCell{};
           }},
    Column{"features", [](const Row& row) { return textCell(join(row.configuration.features, " ")); }},
    Column{"variant", [](const Row& row) { return textCell(variantText(row.configuration)); }},
    Column{"origin", [](const Row& row) { return textCell(toString(row.series.key.origin)); }},
    Column{"campaign", [](const Row& row) { return textCell(row.series.key.campaign); }},
    Column{"topology", [](const Row& row) { return textCell(toString(row.cell.topology)); }},
    Column{"nodes", [](const Row& row) { return number(row.cell.topology.nodes); }},
    Column{"devices_per_node", [](const Row& row) { return number(row.cell.topology.devices); }},
    Column{"median", [](const Row& row) { return number(row.cell.fold.median); }},
    Column{"median_low", [](const Row& row) { return low(row.cell.interval); }},
    Column{"median_high", [](const Row& row) { return high(row.cell.interval); }},
    Column{"average", [](const Row& row) { return number(row.cell.fold.average); }},
    Column{"minimum", [](const Row& row) { return number(row.cell.fold.minimum); }},
    Column{"maximum", [](const Row& row) { return number(row.cell.fold.maximum); }},
    Column{"unit", [](const Row& row) { return textCell(row.series.unit); }},
    Column{"speedup", [](const Row& row) { return number(row.cell.speedup); }},
    Column{"speedup_low", [](const Row& row) { return low(row.cell.speedupInterval); }},
    Column{"speedup_high", [](const Row& row) { return high(row.cell.speedupInterval); }},
    Column{"speedup_base", [](const Row& row) { return textCell(speedupBaseText(row.comparison)); }},
    Column{"efficiency", [](const Row& row) { return number(row.cell.efficiency); }},
    Column{"runs", [](const Row& row) { return number(static_cast<double>(row.cell.repetitions.size())); }},
    Column{"failed", [](const Row& row) { return number(row.cell.failed); }},
    Column{"excluded", [](const Row& row) { return number(row.cell.excluded); }},
    Column{"repetitions", repetitionsOf},
    Column{"missing", [](const Row& row) { return textCell(row.cell.missing); }},
    Column{"finding",
           [](const Row& row) { return textCell(oneLine(findingText(row.cell.findings, false))); }},
    Column{"memory_mb", [](const Row& row) { return number(row.cell.memoryMb); }},
    Column{"sources", [](const Row& row) { return textCell(join(row.series.sources, "; ")); }},
    Column{"to_best",
           [](const Row& row) {
               return number(row.difference ? std::optional(row.difference->relative) : std::nullopt);
           }},
    Column{
        "difference",
        [](const Row& row) { return textCell(row.difference ? verdictText(row.difference->verdict) : ""); }},
    Column{"p", [](const Row& row) { return number(row.difference ? row.difference->p : std::nullopt); }}};

}  // namespace

Table dataTable(const Report& report) {
    Table table;
    for (const Column& column : columns) {
        table.columns.push_back({column.title});
    }
    forEachFigure(report, [&](const ReportSection& section, const ComparedSeries& series, const Cell& cell) {
        const Row row{section.comparison, series, cell, series.key.configuration,
                      besideBest(section.comparison, cell).difference};
        std::vector<TableCell> cells;
        for (const Column& column : columns) {
            cells.push_back(column.cellOf(row));
        }
        table.rows.push_back(std::move(cells));
    });
    return table;
}

}  // namespace dlperf::report
