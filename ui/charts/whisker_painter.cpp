// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/whisker_painter.h"

#include <QPainter>
#include <algorithm>

namespace dlperf::ui {
namespace {

constexpr double halfCap = 2.5;    // px
constexpr double thickness = 1.1;  // px
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

// Over bars in the colour of text, fine as they are; without bars it is what shows the series.
QPen narrowPen(const Plot& plot, const PointRef& ref) {
    if (plot.spec().kind == report::ChartKind::Dots) {
        return {plot.looks()[ref.series].color, thickness};
    }
    return {plot.theme().text, std::min(thickness, plot.barOf(ref).width() / 3)};
}

}  // namespace

void paintWhiskers(QPainter& painter, const Plot& plot) {
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        painter.setOpacity(plot.opacityOf(s));
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            const auto whisker = whiskerOf(plot, {s, p});
            const bool narrow = plot.isNarrow({s, p});
            const double least = plot.spec().kind == report::ChartKind::Bars ? leastTold : 0;
            if (!whisker || (narrow && whisker->bottom - whisker->top < least)) {
                continue;
            }
            const auto& [x, top, bottom] = *whisker;
            painter.setPen(narrow ? narrowPen(plot, {s, p}) : QPen(plot.theme().text, thickness));
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
