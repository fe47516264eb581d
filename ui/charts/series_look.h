// SPDX-License-Identifier: Apache-2.0
// The colours and markers of a chart's series, by framework or by position for nodes; and their names where
// there is little room.
#pragma once

#include <QStringList>
#include <functional>
#include <string>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/series_style.h"

namespace dlperf::ui {

[[nodiscard]] std::vector<SeriesStyle> seriesLooks(const Theme& theme,
                                                   const std::vector<report::Series>& series);

// Titles of series; where one of them does not fit, all go without the parts that they share.
[[nodiscard]] QStringList shownTitles(const std::vector<std::string>& titles,
                                      const std::function<bool(const QString&)>& fits);

}  // namespace dlperf::ui
