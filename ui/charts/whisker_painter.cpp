// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/whisker_painter.h"

#include <QPainter>
#include <algorithm>

namespace dlperf::ui {
namespace {

using report::ChartKind;

constexpr double halfCap = 2.5;    // px
constexpr double thickness = 1.1;  // px
constexpr double narrowBar = 6;    // px; below, caps of neighbours would make one black band
constexpr double leastTold = 4;    // px; on a narrow bar a shorter whisker is but a dot

struct Whisker {
    double x = 0;
    double top = 0;
    double bottom = 0;
};

std::optional<Whisker> whiskerOf(const Plot& plot, const PointRef& ref) {
    const report::Point& point = plot.spec().series[ref.series].points[ref.point];
    const bool logarithmic = plot.spec().y.scale == report::AxisScale::Log2;
    if (!plot.isShown(point) || !point.low || !point.high || *point.high <= *point.low ||
        (logarithmic && *point.low <= 0)) {
        return std::nullopt;
    }
    return Whisker{plot.positionOf(ref).x(), plot.positionOf(point.x, *point.high).y(),
                   plot.positionOf(point.x, *point.low).y()};
}

}  // namespace

void paintWhiskers(QPainter& painter, const Plot& plot) {
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        painter.setOpacity(plot.opacityOf(s));
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            const auto whisker = whiskerOf(plot, {s, p});
            const double bar = plot.spec().kind == ChartKind::Lines ? narrowBar : plot.barOf({s, p}).width();
            const bool narrow = bar < narrowBar && plot.highlighted() != s;
            if (!whisker || (narrow && whisker->bottom - whisker->top < leastTold)) {
                continue;
            }
            const auto& [x, top, bottom] = *whisker;
            painter.setPen(QPen(plot.theme().text, narrow ? std::min(thickness, bar / 3) : thickness));
            painter.drawLine(QPointF(x, top), QPointF(x, bottom));
            if (!narrow) {
                painter.drawLine(QPointF(x - halfCap, top), QPointF(x + halfCap, top));
                painter.drawLine(QPointF(x - halfCap, bottom), QPointF(x + halfCap, bottom));
            }
        }
    }
    painter.setOpacity(1);
}

}  // namespace dlperf::ui
