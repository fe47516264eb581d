// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/missing_painter.h"

#include <QPainter>
#include <algorithm>

namespace dlperf::ui {
namespace {

constexpr double half = 3;            // px; of a cross
constexpr double crossThickness = 2;  // px
constexpr double pitch = 11;          // px from one to the next
constexpr double widestRow = 72;      // px; many stand closer

void drawCross(QPainter& painter, const QPointF& at, const QPen& pen) {
    painter.setPen(pen);
    painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, half));
    painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half));
}

}  // namespace

QPointF missingPlace(const Plot& plot, const PointRef& ref) {
    const auto& series = plot.spec().series;
    const double x = series[ref.series].points[ref.point].x;
    int before = 0;
    int all = 0;
    for (std::size_t s = 0; s < series.size(); ++s) {
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            if (series[s].points[p].missing && series[s].points[p].x == x) {
                before += s < ref.series || (s == ref.series && p < ref.point) ? 1 : 0;
                ++all;
            }
        }
    }
    const double apart = std::min(pitch, widestRow / all);
    const double anyY = plot.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;  // a log axis has no zero
    const QRectF area = plot.chart().plotArea();
    const double middle = plot.positionOf(x, anyY).x();
    const double width = (all - 1) * apart;
    double left = middle - width / 2;
    if (middle >= area.left() && middle <= area.right()) {  // a row at the border stands within it
        left = std::max(std::min(left, area.right() - half - width), area.left() + half);
    }
    return {left + before * apart, area.bottom()};
}

void paintMissing(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Lines) {
        return;
    }
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        painter.setOpacity(plot.opacityOf(s));
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            if (series[s].points[p].missing && plot.isInSight({s, p})) {
                const QPointF at = missingPlace(plot, {s, p});
                // On its own ground: the axis passes here.
                drawCross(painter, at, {plot.theme().panel, crossThickness + 2, Qt::SolidLine, Qt::RoundCap});
                drawCross(painter, at, {plot.looks()[s].color, crossThickness, Qt::SolidLine, Qt::RoundCap});
            }
        }
    }
    painter.setOpacity(1);
}

}  // namespace dlperf::ui
