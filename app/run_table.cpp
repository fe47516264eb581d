// SPDX-License-Identifier: Apache-2.0
#include "app/run_table.h"

#include <fmt/format.h>

#include "app/run_inputs.h"
#include "core/report/comparison.h"

namespace dlperf::app {
namespace {

std::string number(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

void printCell(std::ostream& out, const report::Cell& cell) {
    const std::string efficiency = cell.efficiency ? fmt::format("{:.1f} %", *cell.efficiency * 100) : "-";
    out << fmt::format("  {:8} {:>12} {:>12} {:>9} {:>11} {:>5}{}\n", toString(cell.topology),
                       number(cell.fold.median, 2), number(cell.fold.average, 2), number(cell.speedup, 2),
                       efficiency, cell.fold.count,
                       cell.missing.empty() ? "" : "   " + printable(cell.missing));
}

}  // namespace

void printThroughputTable(std::ostream& out, const std::vector<RunResult>& results,
                          const Vocabulary& vocabulary) {
    const report::Comparison comparison = report::compare(results, vocabulary);
    if (!comparison.title.empty()) {
        out << printable(comparison.title) << '\n';
    }
    for (const report::ComparedSeries& series : comparison.series) {
        out << fmt::format("{} ({})\n", printable(series.title), printable(series.unit));
        out << fmt::format("  {:8} {:>12} {:>12} {:>9} {:>11} {:>5}\n", "topology", "median", "average",
                           "speedup", "efficiency", "runs");
        for (const report::Cell& cell : series.cells) {
            printCell(out, cell);
        }
    }
    for (const std::string& warning : comparison.warnings) {
        out << "note: " << printable(warning) << '\n';
    }
}

}  // namespace dlperf::app
