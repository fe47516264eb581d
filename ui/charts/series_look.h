// SPDX-License-Identifier: Apache-2.0
// The colours and markers of a chart's series: by framework, or by position for nodes.
#pragma once

#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/series_style.h"

namespace dlperf::ui {

[[nodiscard]] std::vector<SeriesStyle> seriesLooks(const Theme& theme,
                                                   const std::vector<report::Series>& series);

}  // namespace dlperf::ui
