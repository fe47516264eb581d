// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "core/report/numbers.h"
#include "core/report/report.h"

namespace dlperf::report {
namespace {

bool ranOutOfMemory(const Cell& cell) {
    return cell.missingReason == MissingReason::OutOfMemory;
}

// Why there is none, spelled out.
std::string missingText(const Cell& cell) {
    return ranOutOfMemory(cell) ? "out of memory" : cell.missing;
}

TableCell throughputCell(std::optional<double> value, const Cell& cell, int decimals = 2) {
    return value ? TableCell{.text = grouped(*value, decimals), .number = value}
                 : TableCell{.text = ranOutOfMemory(cell) ? "OOM" : missingFigure, .note = cell.missing};
}

// Beside a median, which already says OOM; a source that quotes the median only gives no others.
TableCell detailCell(std::optional<double> value, const Cell& cell) {
    TableCell result = throughputCell(value, cell);
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

std::string listed(const std::vector<double>& repetitions) {
    std::vector<std::string> texts;
    texts.reserve(repetitions.size());
    for (const double figure : repetitions) {
        texts.push_back(grouped(figure, 2));
    }
    return join(texts, "; ");
}

// A single run has none of its own: where the median or speedup lies is unknown.
TableCell intervalCell(const Cell& cell, const std::optional<analysis::Interval>& interval,
                       const char* unit) {
    if (interval) {
        return textCell(
            fmt::format("{} to {}{}", grouped(interval->low, 2), grouped(interval->high, 2), unit));
    }
    TableCell result = detailCell(std::nullopt, cell);
    result.note = cell.repetitions.empty() ? result.note : whyNoRange(cell, Spread::Confidence);
    return result;
}

// The extremes; a single run is both.
TableCell extremesCell(const Cell& cell) {
    if (cell.repetitions.size() < 2) {
        return detailCell(cell.fold.minimum, cell);
    }
    return textCell(fmt::format("{} to {}", grouped(*cell.fold.minimum, 2), grouped(*cell.fold.maximum, 2)));
}

// As many columns as a page has room for: the table for programs (dataTable) has a column for each end.
std::vector<TableCell> repetitionRow(const ComparedSeries& series, const Cell& cell) {
    TableCell median = throughputCell(cell.fold.median, cell, decimalsOf(series.unit));
    median.strong = cell.fold.median.has_value();
    const std::string runs =
        cell.repetitions.empty() ? missingFigure : std::to_string(cell.repetitions.size());
    return {textCell(series.title),
            textCell(toString(cell.topology)),
            {.text = runs, .number = static_cast<double>(cell.repetitions.size())},
            median,
            intervalCell(cell, cell.interval, ""),
            detailCell(cell.fold.average, cell),
            extremesCell(cell),
            speedupCell(cell),
            intervalCell(cell, cell.speedupInterval, "×"),
            efficiencyCell(cell),
            textCell(listed(cell.repetitions))};
}

}  // namespace

std::size_t scalingTopology(const Comparison& comparison) {
    for (std::size_t i = comparison.topologies.size(); i-- > 0;) {
        for (const ComparedSeries& series : comparison.series) {
            if (series.cells[i].speedup) {
                return i;
            }
        }
    }
    return comparison.topologies.empty() ? 0 : comparison.topologies.size() - 1;
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
    table.columns = {{"Series"},
                     {"Topology"},
                     {"Runs", true},
                     {"Median", true},
                     {"95\u00A0% interval", true},
                     {"Average", true},
                     {"Min to max", true},
                     {"Speedup", true},
                     {"95\u00A0% of speedup", true},
                     {"Efficiency", true},
                     {"All repetitions"}};
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (cell.wasTried()) {
                table.rows.push_back(repetitionRow(series, cell));
            }
        }
    }
    return table;
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

std::vector<std::string> quotedSources(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const ComparedSeries& series : comparison.series) {
        if (!series.sources.empty()) {
            texts.push_back(fmt::format("{}: {}", series.title, join(series.sources, "; ")));
        }
    }
    return texts;
}

}  // namespace dlperf::report
