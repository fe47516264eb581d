// SPDX-License-Identifier: Apache-2.0
// The part of a chart that someone zoomed to, as a chart of its own: what is exported is what is seen.
#pragma once

#include <optional>

#include "core/report/chart_spec.h"

namespace dlperf::report {

// On a category axis the indices of the first and the last category.
struct ChartRange {
    double from = 0;
    double to = 0;
    friend bool operator==(const ChartRange&, const ChartRange&) = default;
};

struct ChartPart {
    std::optional<ChartRange> x{};  // nothing: all of it
    std::optional<ChartRange> y{};
};

[[nodiscard]] ChartSpec partOf(ChartSpec chart, const ChartPart& part);

}  // namespace dlperf::report
