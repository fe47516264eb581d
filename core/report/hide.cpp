// SPDX-License-Identifier: Apache-2.0
#include "core/report/hide.h"

#include <algorithm>

namespace dlperf::report {
namespace {

bool isEmpty(const Cell& cell) {
    return !cell.fold.median && cell.repetitions.empty() && cell.failed == 0 && cell.excluded == 0;
}

}  // namespace

Comparison withoutTopologies(Comparison comparison, const std::set<Topology>& hidden) {
    if (hidden.empty()) {
        return comparison;
    }
    std::erase_if(comparison.topologies, [&](const Topology& topology) { return hidden.contains(topology); });
    for (ComparedSeries& series : comparison.series) {
        std::erase_if(series.cells, [&](const Cell& cell) { return hidden.contains(cell.topology); });
    }
    std::erase_if(comparison.series,
                  [](const ComparedSeries& series) { return std::ranges::all_of(series.cells, isEmpty); });
    return comparison;
}

}  // namespace dlperf::report
