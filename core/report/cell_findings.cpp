// SPDX-License-Identifier: Apache-2.0
#include "core/report/cell_findings.h"

#include <algorithm>
#include <iterator>

#include "core/report/repetition_findings.h"
#include "core/report/series_findings.h"

namespace dlperf::report {
namespace {

void add(Cell& cell, const std::vector<CellFinding>& findings) {
    std::copy(findings.begin(), findings.end(), std::back_inserter(cell.findings));
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
        const SeriesFindings along = findingsAlong(series);
        for (std::size_t i = 0; i < series.cells.size(); ++i) {
            add(series.cells[i], along[i]);
            add(series.cells[i], repetitionFindings(series.cells[i]));
        }
    }
    markScalingLoss(comparison);
    markIdentical(comparison);
    for (ComparedSeries& series : comparison.series) {
        for (Cell& cell : series.cells) {
            std::stable_sort(cell.findings.begin(), cell.findings.end(),
                             [](const CellFinding& a, const CellFinding& b) { return a.kind < b.kind; });
        }
    }
}

}  // namespace dlperf::report
