// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/legend_layout.h"

#include <QFontMetricsF>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr double rowHeight = 18;
constexpr double keyWidth = 23;
constexpr double gap = 16;

}  // namespace

std::vector<LegendPlace> legendPlaces(const std::vector<report::Series>& series, double width) {
    const QFontMetricsF metrics(textFont(size::caption));
    std::vector<LegendPlace> places;
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].role == report::SeriesRole::Ideal) {
            continue;
        }
        const double entry =
            keyWidth + metrics.horizontalAdvance(QString::fromStdString(series[i].title)) + gap;
        if (x > 0 && x + entry - gap > width) {
            x = 0;
            y += rowHeight;
        }
        places.push_back({i, x, y});
        x += entry;
    }
    return places;
}

double legendHeight(const std::vector<report::Series>& series, double width) {
    const auto places = legendPlaces(series, width);
    return places.empty() ? 0 : places.back().y + rowHeight + 6;
}

}  // namespace dlperf::ui
