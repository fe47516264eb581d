// SPDX-License-Identifier: Apache-2.0
#include "core/report/spread.h"

#include <fmt/format.h>

#include "core/report/numbers.h"

namespace dlperf::report {

Comparison withSpread(Comparison comparison, Spread spread) {
    comparison.spread = spread;
    for (ComparedSeries& series : comparison.series) {
        for (Cell& cell : series.cells) {
            if (spread == Spread::Confidence) {
                cell.range = analysis::medianInterval(cell.repetitions);
            } else if (cell.repetitions.size() > 1) {
                cell.range = {*cell.fold.minimum, *cell.fold.maximum};
            }
        }
    }
    return comparison;
}

std::string rangeText(const Cell& cell, Spread spread) {
    if (!cell.range) {  // a single run is its own range
        return spread == Spread::MinToMax ? fmt::format("{} to {}", throughputText(cell.fold.minimum),
                                                        throughputText(cell.fold.maximum))
                                          : whyNoRange(cell, spread);
    }
    const std::string ends =
        fmt::format("{} to {}", throughputText(cell.range->low), throughputText(cell.range->high));
    return spread == Spread::MinToMax ? ends : "median within " + ends + " (95\u00A0%)";
}

std::string whyNoRange(const Cell& cell, Spread spread) {
    if (cell.range || cell.repetitions.empty()) {
        return {};
    }
    return spread == Spread::MinToMax
               ? "fewer than two runs"
               : fmt::format("too few for an interval, {} are needed", analysis::fewestForInterval);
}

}  // namespace dlperf::report
