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
                cell.range = cell.interval;
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
    return spread == Spread::MinToMax
               ? fmt::format("{} to {}", throughputText(cell.range->low), throughputText(cell.range->high))
               : intervalText(cell);
}

std::string intervalText(const Cell& cell) {
    return fmt::format("median within {} to {} (95\u00A0%)", throughputText(cell.interval->low),
                       throughputText(cell.interval->high));
}

std::string whyNoRange(const Cell& cell, Spread spread) {
    if (cell.repetitions.empty()) {
        return {};
    }
    if (spread == Spread::MinToMax) {
        return cell.repetitions.size() > 1 ? "" : "fewer than two runs";
    }
    return cell.interval ? ""
                         : fmt::format("too few for an interval, {} are needed", analysis::fewestForInterval);
}

}  // namespace dlperf::report
