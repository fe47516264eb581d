// SPDX-License-Identifier: Apache-2.0
#include "core/report/cell_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double wideSpread = 0.025;
constexpr double scalingLoss = 0.10;
constexpr std::size_t enoughOthers = 3;

void addFinding(Cell& cell, const std::string& text) {
    cell.finding += (cell.finding.empty() ? "" : "; ") + text;
}

void markSpread(Cell& cell) {
    const auto spread = spreadOf(cell);
    if (spread && *spread > wideSpread) {
        addFinding(cell,
                   fmt::format("Wide spread: {} to {}, {} of the median", grouped(*cell.fold.minimum, 2),
                               grouped(*cell.fold.maximum, 2), percent(*spread)));
    }
}

void markVersions(Cell& cell) {
    if (!cell.versionMix.empty()) {
        addFinding(cell, "Versions differ: " + cell.versionMix);
    }
}

std::vector<double> efficienciesOfOthers(const Comparison& comparison, const ComparedSeries& series,
                                         std::size_t index) {
    std::vector<double> others;
    for (const ComparedSeries& other : comparison.series) {
        if (&other != &series && other.cells[index].efficiency) {
            others.push_back(*other.cells[index].efficiency);
        }
    }
    std::sort(others.begin(), others.end());
    return others;
}

void markScaling(const Comparison& comparison, ComparedSeries& series) {
    for (std::size_t i = 0; i < series.cells.size(); ++i) {
        Cell& cell = series.cells[i];
        const auto others = efficienciesOfOthers(comparison, series, i);
        if (!cell.efficiency || others.size() < enoughOthers ||
            others[others.size() / 2] - *cell.efficiency <= scalingLoss) {
            continue;
        }
        const char* place = cell.topology.nodes == 1 ? "inside one node" : "between nodes";
        addFinding(cell,
                   fmt::format("Scaling loss {}: efficiency {}, the others keep {} to {}", place,
                               percent(*cell.efficiency), percent(others.front()), percent(others.back())));
        return;  // larger topologies inherit it
    }
}

}  // namespace

std::optional<double> spreadOf(const Cell& cell) {
    if (!cell.range || !cell.fold.median || *cell.fold.median <= 0) {
        return std::nullopt;
    }
    return (cell.range->high - cell.range->low) / *cell.fold.median;
}

void markFindings(Comparison& comparison) {
    for (ComparedSeries& series : comparison.series) {
        for (Cell& cell : series.cells) {
            markSpread(cell);
            markVersions(cell);
        }
        markScaling(comparison, series);
    }
}

}  // namespace dlperf::report
