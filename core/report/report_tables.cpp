// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/cell_findings.h"
#include "core/report/numbers.h"
#include "core/report/report.h"
#include "core/report/spread.h"

namespace dlperf::report {
namespace {

TableCell figureCell(std::optional<double> value, std::string text, const std::string& missing) {
    if (value) {
        return {.text = std::move(text), .number = value};
    }
    return {.text = missing == "OOM" ? "OOM" : missingFigure, .note = missing};
}

TableCell throughputCell(std::optional<double> value, const Cell& cell) {
    return figureCell(value, throughputText(value), cell.missing);
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
    const std::string missing = cell.missing.empty() ? "no 1n1g figure" : cell.missing;
    return figureCell(cell.speedup, cell.speedup ? times(*cell.speedup) : "",
                      missing == "OOM" ? "out of memory" : missing);
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

// One end of the range that the comparison shows.
TableCell rangeCell(const Cell& cell, Spread spread, double analysis::Interval::*end) {
    if (cell.range) {
        return throughputCell((*cell.range).*end, cell);
    }
    if (spread == Spread::MinToMax) {  // a single run is its own range
        return detailCell(cell.fold.minimum, cell);
    }
    TableCell result = detailCell(std::nullopt, cell);
    result.note = cell.repetitions.empty() ? result.note : whyNoRange(cell, spread);
    return result;
}

std::vector<TableCell> repetitionRow(const ComparedSeries& series, const Cell& cell, Spread choice) {
    const auto spread = spreadOf(cell);
    TableCell median = throughputCell(cell.fold.median, cell);
    median.strong = cell.fold.median.has_value();
    const std::string runs =
        cell.repetitions.empty() ? missingFigure : std::to_string(cell.repetitions.size());
    return {textCell(series.title),
            textCell(toString(cell.topology)),
            {.text = runs, .number = static_cast<double>(cell.repetitions.size())},
            median,
            detailCell(cell.fold.average, cell),
            rangeCell(cell, choice, &analysis::Interval::low),
            rangeCell(cell, choice, &analysis::Interval::high),
            figureCell(spread, spread ? percent(*spread) : "",
                       cell.repetitions.empty() ? "fewer than two runs" : whyNoRange(cell, choice)),
            speedupCell(cell),
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
            row.push_back(throughputCell(cell.fold.median, cell));
        }
        row.push_back(speedupCell(series.cells[scaling]));
        row.push_back(efficiencyCell(series.cells[scaling]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table repetitionTable(const Comparison& comparison) {
    Table table;
    const bool extremes = comparison.spread == Spread::MinToMax;
    table.columns = {{"Series"},
                     {"Topology"},
                     {"Runs", true},
                     {"Median", true},
                     {"Average", true},
                     {extremes ? "Minimum" : "95 % from", true},
                     {extremes ? "Maximum" : "95 % to", true},
                     {"Spread", true},
                     {"Speedup", true},
                     {"Efficiency", true},
                     {"All repetitions"}};
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (cell.missing != "not measured" && cell.missing != "not published") {
                table.rows.push_back(repetitionRow(series, cell, comparison.spread));
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
    const std::string note =
        fmt::format("Median throughput in {}; speedup and efficiency at {}", comparison.series.front().unit,
                    toString(comparison.topologies[scalingTopology(comparison)]));
    return note + (comparison.speedupBase.empty() ? "." : ", speedup " + speedupBaseText(comparison) + ".");
}

std::vector<std::string> missingFigures(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            if (!cell.missing.empty()) {
                texts.push_back(fmt::format("{}, {}: {}", series.title, toString(cell.topology),
                                            cell.missing == "OOM" ? "out of memory" : cell.missing));
            }
        }
    }
    return texts;
}

}  // namespace dlperf::report
