// SPDX-License-Identifier: Apache-2.0
// Where the entries of a legend stand in a picture: rows from left to right, broken at the width.
#pragma once

#include <vector>

#include "core/report/chart_spec.h"

namespace dlperf::ui {

struct LegendPlace {
    std::size_t series = 0;
    double x = 0;  // px from the legend's left and top
    double y = 0;
};

// Measured series and running medians; the ideal line is named in the plot.
[[nodiscard]] std::vector<LegendPlace> legendPlaces(const std::vector<report::Series>& series, double width);
[[nodiscard]] double legendHeight(const std::vector<report::Series>& series, double width);

}  // namespace dlperf::ui
