// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/series_look.h"

namespace dlperf::ui {

static_assert(positionHues == report::huesByPosition);  // which counts on by as many

std::vector<SeriesStyle> seriesLooks(const Theme& theme, const std::vector<report::Series>& series) {
    std::vector<SeriesStyle> looks;
    looks.reserve(series.size());
    for (const report::Series& one : series) {
        if (one.role == report::SeriesRole::Ideal) {
            looks.push_back({theme.ideal, Marker::Circle, Fill::Full});
        } else if (one.role == report::SeriesRole::RunningMedian) {
            looks.push_back({theme.text, Marker::None, Fill::Full});
        } else if (one.role == report::SeriesRole::Rest) {
            looks.push_back({one.fill == 0 ? theme.text3 : theme.border, Marker::None, Fill::Full});
        } else {
            looks.push_back(seriesStyle(theme, one.framework, one.fill));
        }
    }
    return looks;
}

}  // namespace dlperf::ui
