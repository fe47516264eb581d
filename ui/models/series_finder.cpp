// SPDX-License-Identifier: Apache-2.0
#include "ui/models/series_finder.h"

#include <algorithm>

namespace dlperf::ui {

SeriesFinder::SeriesFinder(const report::Comparison& comparison) {
    for (const report::ComparedSeries& series : comparison.series) {
        byConfiguration_[series.key.configuration].push_back(&series);
    }
}

const report::ComparedSeries* SeriesFinder::seriesOf(const RunResult& result) const {
    const auto alike = byConfiguration_.find(result.benchmarkCase.configuration);
    if (alike == byConfiguration_.end()) {
        return nullptr;
    }
    const auto found =
        std::ranges::find_if(alike->second, [&](const auto* one) { return report::holds(*one, result); });
    return found == alike->second.end() ? nullptr : *found;
}

}  // namespace dlperf::ui
