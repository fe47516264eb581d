// SPDX-License-Identifier: Apache-2.0
#include "app/throughput_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "app/run_inputs.h"
#include "core/base/text.h"
#include "core/report/cancelled_cases.h"
#include "core/report/comparison.h"
#include "core/report/finding.h"
#include "core/report/report.h"

namespace dlperf::app {
namespace {

// "images/s"; more than one only where the comparison warns of it.
std::string unitsOf(const report::Comparison& comparison) {
    std::vector<std::string> units;
    for (const report::ComparedSeries& series : comparison.series) {
        if (std::find(units.begin(), units.end(), series.unit) == units.end()) {
            units.push_back(series.unit);
        }
    }
    return join(units, ", ");
}

std::string measureOf(const report::Comparison& comparison) {
    const auto isTime = [](const report::ComparedSeries& series) { return lowerIsBetter(series.unit); };
    const bool anyTime = std::ranges::any_of(comparison.series, isTime);
    const std::string units = unitsOf(comparison);
    return !anyTime ? fmt::format("throughput in {}", units)
           : std::ranges::all_of(comparison.series, isTime)
               ? fmt::format("time in {}: lower is better", units)
               : fmt::format("throughput and time in {}", units);
}

// Those of which nothing ran are in no row.
void printMissing(std::ostream& out, const report::Comparison& comparison) {
    std::vector<std::string> missing;
    for (const report::ComparedSeries& series : comparison.series) {
        for (const report::Cell& cell : series.cells) {
            if (!cell.missing.empty() && cell.wasTried()) {
                missing.push_back(
                    fmt::format("{}, {}: {}", series.title, toString(cell.topology), cell.missing));
            }
        }
    }
    if (!missing.empty()) {
        out << told(missing.size() == 1 ? std::string("1 case has no figure:")
                                        : fmt::format("{} cases have no figure:", missing.size()))
            << '\n';
    }
    for (const std::string& one : missing) {
        out << "  " << told(one) << '\n';
    }
}

// Of those that have a figure all the same.
void printFailures(std::ostream& out, const report::Comparison& comparison) {
    for (const report::ComparedSeries& series : comparison.series) {
        for (const report::Cell& cell : series.cells) {
            if (!cell.failures.empty() && cell.missing.empty()) {
                out << told(fmt::format("note: {}, {}: {}", series.title, toString(cell.topology),
                                        cell.failures))
                    << '\n';
            }
        }
    }
}

// The first ones, in a line each; why they matter says the report.
void printFindings(std::ostream& out, const report::Comparison& comparison) {
    constexpr std::size_t most = 10;
    std::vector<std::string> findings;
    for (const report::ComparedSeries& series : comparison.series) {
        for (const report::Cell& cell : series.cells) {
            for (const report::CellFinding& finding : cell.findings) {
                if (finding.kind != report::FindingKind::Missing) {
                    findings.push_back(fmt::format("finding: {}, {}: {}", series.title,
                                                   toString(cell.topology), findingText(finding, false)));
                }
            }
        }
    }
    for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
        out << told(findings[i]) << '\n';
    }
    if (findings.size() > most) {
        out << told(fmt::format("findings not listed here: {}; `dlperf report` has all of them",
                                findings.size() - most))
            << '\n';
    }
}

void printSeries(std::ostream& out, const report::Comparison& comparison) {
    const std::string common = comparison.titleIsOfAll ? comparison.title : "mostly " + comparison.title;
    const std::string title = comparison.title.empty() ? "" : common + ", ";
    out << told(title + measureOf(comparison)) << '\n';
    // What fits 80 columns; the report has the rest.
    const report::Table table =
        report::select(report::repetitionTable(comparison),
                       {"Series", "Topology", "Runs", "Median", "Average", "Speedup", "Efficiency"});
    out << report::toTerminal(report::translated(table, terminalTranslation()));
    printMissing(out, comparison);
    printFailures(out, comparison);
}

}  // namespace

void printThroughputTable(std::ostream& out, const std::vector<RunResult>& results,
                          const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    const report::Comparison comparison = report::compare(results, vocabulary, formats);
    const std::size_t cancelled = report::CancelledCases(results).size();
    if (!comparison.series.empty() || cancelled == 0) {
        printSeries(out, comparison);
    }
    if (cancelled > 0) {
        out << told(cancelled == 1 ? std::string("1 case was cancelled.")
                                   : fmt::format("{} cases were cancelled.", cancelled))
            << '\n';
    }
    for (const report::Warning& warning : comparison.warnings) {
        out << told("note: " + warningText(warning)) << '\n';
    }
    printFindings(out, comparison);
}

}  // namespace dlperf::app
