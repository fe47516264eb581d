// SPDX-License-Identifier: Apache-2.0
#include "core/report/speedup_base.h"

#include <algorithm>

namespace dlperf::report {

Comparison overBase(Comparison comparison, const std::string& seriesId) {
    const auto base = std::find_if(comparison.series.begin(), comparison.series.end(),
                                   [&](const ComparedSeries& series) { return series.id == seriesId; });
    const Cell* one = base == comparison.series.end() ? nullptr : findCell(*base, {1, 1});
    if (one == nullptr || one->fold.median.value_or(0) <= 0 || lowerIsBetter(base->unit)) {
        return comparison;
    }
    const Cell yardstick = *one;
    comparison.speedupBase = base->title;
    for (ComparedSeries& series : comparison.series) {
        const bool comparable = series.unit == base->unit;
        for (Cell& cell : series.cells) {
            cell.speedup = comparable ? analysis::speedup(cell.fold, yardstick.fold, {}) : std::nullopt;
            const bool itself = series.id == seriesId && cell.topology == yardstick.topology;
            cell.speedupInterval = comparable && !itself
                                       ? analysis::ratioInterval(cell.repetitions, yardstick.repetitions)
                                       : std::nullopt;
        }
    }
    return comparison;
}

}  // namespace dlperf::report
