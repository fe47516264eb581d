// SPDX-License-Identifier: Apache-2.0
// Which series of a comparison holds a result, for many results.
#pragma once

#include <map>
#include <vector>

#include "core/report/comparison.h"

namespace dlperf::ui {

class SeriesFinder {
public:
    // The comparison outlives it and keeps its series where they are.
    explicit SeriesFinder(const report::Comparison& comparison);

    // Null: it is in none of them.
    [[nodiscard]] const report::ComparedSeries* seriesOf(const RunResult& result) const;

private:
    std::map<Configuration, std::vector<const report::ComparedSeries*>> byConfiguration_;
};

}  // namespace dlperf::ui
