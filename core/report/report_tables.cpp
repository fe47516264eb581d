// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "core/report/escape.h"
#include "core/report/numbers.h"
#include "core/report/report.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

constexpr const char* intervalTitle = "95\u00A0% interval";
constexpr const char* speedupIntervalTitle = "95\u00A0% of speedup";

bool ranOutOfMemory(const Cell& cell) {
    return cell.missingReason == MissingReason::OutOfMemory;
}

// Why there is none, spelled out.
std::string missingText(const Cell& cell) {
    return ranOutOfMemory(cell) ? "out of memory" : cell.missing;
}

TableCell throughputCell(std::optional<double> value, const Cell& cell, int decimals) {
    return value ? TableCell{.text = grouped(*value, decimals), .number = value}
                 : TableCell{.text = ranOutOfMemory(cell) ? "OOM" : missingFigure, .note = cell.missing};
}

// Beside a median, which already says OOM; a source that quotes the median only gives no others.
TableCell detailCell(std::optional<double> value, const Cell& cell, int decimals) {
    TableCell result = throughputCell(value, cell, decimals);
    if (!value) {
        result.text = missingFigure;
        result.note = cell.missing.empty() ? "not published" : result.note;
    }
    return result;
}

TableCell speedupCell(const Cell& cell) {
    if (cell.speedup) {
        return {.text = times(*cell.speedup), .number = cell.speedup};
    }
    return {.text = missingFigure, .note = cell.missing.empty() ? "no 1n1g figure" : missingText(cell)};
}

TableCell efficiencyCell(const Cell& cell) {
    TableCell result = speedupCell(cell);
    if (cell.efficiency) {
        result.text = percent(*cell.efficiency);
        result.number = cell.efficiency;
    }
    return result;
}

std::string listed(const std::vector<double>& repetitions, int decimals) {
    return join(mapped(repetitions, [decimals](double figure) { return grouped(figure, decimals); }), "; ");
}

// A single run has none of its own: where the median or speedup lies is unknown.
TableCell intervalCell(const Cell& cell, const std::optional<analysis::Interval>& interval, int decimals,
                       const char* unit) {
    if (interval) {
        return textCell(fmt::format("{} to {}{}", grouped(interval->low, decimals),
                                    grouped(interval->high, decimals), unit));
    }
    TableCell result = detailCell(std::nullopt, cell, decimals);
    result.note = cell.repetitions.empty() ? result.note : whyNoRange(cell, Spread::Confidence);
    return result;
}

// The extremes; a single run is both.
TableCell extremesCell(const Cell& cell, int decimals) {
    if (cell.repetitions.size() < 2) {
        return detailCell(cell.fold.minimum, cell, decimals);
    }
    return textCell(fmt::format("{} to {}", grouped(*cell.fold.minimum, decimals),
                                grouped(*cell.fold.maximum, decimals)));
}

// As many columns as a page has room for: the table for programs (dataTable) has a column for each end.
std::vector<TableCell> repetitionRow(const ComparedSeries& series, const Cell& cell) {
    const int decimals = decimalsOf(series.unit);
    TableCell median = throughputCell(cell.fold.median, cell, decimals);
    median.strong = cell.fold.median.has_value();
    const std::string runs =
        cell.repetitions.empty() ? missingFigure : std::to_string(cell.repetitions.size());
    return {textCell(series.title),
            textCell(toString(cell.topology)),
            {.text = runs, .number = static_cast<double>(cell.repetitions.size())},
            median,
            intervalCell(cell, cell.interval, decimals, ""),
            detailCell(cell.fold.average, cell, decimals),
            extremesCell(cell, decimals),
            speedupCell(cell),
            intervalCell(cell, cell.speedupInterval, 2, "×"),
            efficiencyCell(cell),
            textCell(listed(cell.repetitions, decimals))};
}

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
    return textCell(join(mapped(row.cell.repetitions, csvNumber), ";"));
}

const std::array dataColumns{
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
    Column{"variant", [](const Row& row) { return textCell(variantText(row.configuration.variant)); }},
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

// Few repetitions have no interval: its column then only takes the room of the others.
Table withoutEmptyIntervals(const Table& table) {
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string& title = table.columns[i].title;
        const bool isInterval = title == intervalTitle || title == speedupIntervalTitle;
        const bool isEmpty =
            std::ranges::all_of(table.rows, [i](const auto& row) { return row[i].text == missingFigure; });
        if (!isInterval || !isEmpty) {
            titles.push_back(title);
        }
    }
    return select(table, titles);
}

}  // namespace

std::size_t scalingTopology(const Comparison& comparison) {
    const auto shared = largestShared(comparison, [](const Cell& cell) { return cell.speedup.has_value(); });
    return shared ? *shared : comparison.topologies.empty() ? 0 : comparison.topologies.size() - 1;
}

Table resultTable(const Comparison& comparison) {
    const std::size_t scaling = scalingTopology(comparison);
    Table table;
    table.columns.push_back({"Series"});
    for (const Topology& topology : comparison.topologies) {
        table.columns.push_back({toString(topology), true});
    }
    table.columns.push_back({"Speedup", true});
    table.columns.push_back({"Efficiency", true});
    for (const ComparedSeries& series : comparison.series) {
        std::vector<TableCell> row{textCell(series.title)};
        for (const Cell& cell : series.cells) {
            row.push_back(throughputCell(cell.fold.median, cell, decimalsOf(series.unit)));
        }
        row.push_back(speedupCell(series.cells[scaling]));
        row.push_back(efficiencyCell(series.cells[scaling]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table repetitionTable(const Comparison& comparison) {
    Table table;
    table.columns = {{"Series"},           {"Topology"},          {"Runs", true},
                     {"Median", true},     {intervalTitle, true}, {"Average", true},
                     {"Min to max", true}, {"Speedup", true},     {speedupIntervalTitle, true},
                     {"Efficiency", true}, {"All repetitions"}};
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (cell.wasTried()) {
                table.rows.push_back(repetitionRow(series, cell));
            }
        }
    }
    return withoutEmptyIntervals(table);
}

std::string speedupBaseText(const Comparison& comparison) {
    return comparison.speedupBase.empty() ? "over own 1n1g" : "over 1n1g of " + comparison.speedupBase;
}

std::string resultNote(const Comparison& comparison) {
    if (comparison.series.empty() || comparison.topologies.empty()) {
        return {};
    }
    const std::string& unit = comparison.series.front().unit;
    if (lowerIsBetter(unit)) {
        return fmt::format("Median time in {}: lower is better.", unit);
    }
    const std::string note = fmt::format("Median throughput in {}; speedup and efficiency at {}", unit,
                                         toString(comparison.topologies[scalingTopology(comparison)]));
    return note + (comparison.speedupBase.empty() ? "." : ", speedup " + speedupBaseText(comparison) + ".");
}

std::vector<std::string> missingFigures(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (!cell.missing.empty()) {
                texts.push_back(
                    fmt::format("{}, {}: {}", series.title, toString(cell.topology), missingText(cell)));
            }
        }
    }
    return texts;
}

std::vector<std::string> differencesAtScaling(const Comparison& comparison) {
    return comparison.topologies.empty()
               ? std::vector<std::string>()
               : differencesFromBest(comparison, comparison.topologies[scalingTopology(comparison)]);
}

std::string differencesHeading(const Comparison& comparison) {
    const bool once = !comparison.topologies.empty() &&
                      ranOnce(comparison, comparison.topologies[scalingTopology(comparison)]);
    return once ? "Each case ran once, too few to say whether they differ:"
                : "Whether they differ (Mann and Whitney's rank test of the repetitions):";
}

std::vector<std::string> quotedSources(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const ComparedSeries& series : comparison.series) {
        if (!series.sources.empty()) {
            texts.push_back(fmt::format("{}: {}", series.title, join(series.sources, "; ")));
        }
    }
    return texts;
}

Table dataTable(const Report& report) {
    Table table;
    table.columns.reserve(dataColumns.size());
    for (const Column& column : dataColumns) {
        table.columns.push_back({column.title});
    }
    forEachFigure(report, [&](const ReportSection& section, const ComparedSeries& series, const Cell& cell) {
        const Row row{section.comparison, series, cell, series.key.configuration,
                      besideBest(section.comparison, cell).difference};
        std::vector<TableCell>& cells = table.rows.emplace_back();
        cells.reserve(dataColumns.size());
        for (const Column& column : dataColumns) {
            cells.push_back(column.cellOf(row));
        }
    });
    return table;
}

}  // namespace dlperf::report
