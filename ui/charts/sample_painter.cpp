// SPDX-License-Identifier: Apache-2.0
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/report/sample_line.h"
#include "ui/charts/mark_painter.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

using report::SeriesRole;

constexpr double pointsPerColumn = 0.5;  // from here on a stroke would paint every column twice

// Where samples are drawn. In steps of the axes all is even: two corners tell where everything is.
auto placement(const Plot& plot) {
    const report::AxisScale xScale = plot.spec().x.scale;
    const report::AxisScale yScale = plot.spec().y.scale;
    const AxisSpan x = plot.shown(true);
    const double lowY = yScale == report::AxisScale::Log2 ? 0.0 : 1.0;
    const QPointF first = plot.positionOf(valueOf(x.low, xScale), valueOf(lowY, yScale));
    const QPointF second = plot.positionOf(valueOf(x.high, xScale), valueOf(lowY + 1, yScale));
    const double perX = (second.x() - first.x()) / x.width();
    const double perY = second.y() - first.y();
    return [=](const report::Point& point) {
        return QPointF(first.x() + (stepOf(point.x, xScale) - x.low) * perX,
                       first.y() + (stepOf(point.y, yScale) - lowY) * perY);
    };
}

// One rectangle for each column of device pixels that the line passes. The points beside the column count,
// too: neighbours meet, and the lowest and the highest of a stretch that falls on two columns fill both.
QList<QRectF> columnsOf(const QPolygonF& line, double ratio, double thickness) {
    const auto columnAt = [&](qsizetype index) { return std::floor(line[index].x() * ratio); };
    QList<QRectF> columns;
    qsizetype index = 0;
    while (index < line.size()) {
        const double column = columnAt(index);
        const double before = line[std::max<qsizetype>(index - 1, 0)].y();
        double top = before;
        double bottom = before;
        bool inside = true;
        for (qsizetype next = index; inside && next < line.size(); ++next) {
            inside = columnAt(next) <= column;
            top = std::min(top, line[next].y());
            bottom = std::max(bottom, line[next].y());
            index += inside ? 1 : 0;
        }
        const double end = index < line.size() ? columnAt(index) : column + 1;
        columns.append(
            QRectF(column / ratio, top - thickness / 2, (end - column) / ratio, bottom - top + thickness));
    }
    return columns;
}

void paintLine(QPainter& painter, const Plot& plot, std::size_t series) {
    const bool median = plot.spec().series[series].role == SeriesRole::RunningMedian;
    const double thickness = median ? 3 : 1.5;
    QPolygonF line;
    std::ranges::transform(plot.spec().series[series].points, std::back_inserter(line), placement(plot));
    const double ratio = painter.device()->devicePixelRatioF();
    const double columns = plot.chart().plotArea().width() * ratio;
    const bool paper = plot.frame().title;  // whose size in pixels is not known
    painter.setOpacity(plot.opacityOf(series));
    if (paper || static_cast<double>(line.size()) < columns * pointsPerColumn) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        // Line by line with round ends: one stroke along all of a jagged line takes ten times as long.
        painter.setPen(QPen(plot.looks()[series].color, thickness, Qt::SolidLine, Qt::RoundCap));
        for (qsizetype i = 1; i < line.size(); ++i) {
            painter.drawLine(line[i - 1], line[i]);
        }
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(plot.looks()[series].color);
    painter.drawRects(columnsOf(line, ratio, thickness));
}

// A line at the newest x of the running median, and a box with its label.
void paintMedianNow(QPainter& painter, const Plot& plot, const report::Series& series) {
    const QRectF area = plot.chart().plotArea();
    const QPointF now = placement(plot)(series.points.back());
    if (series.points.back().label.empty() || now.x() < area.left() || now.x() > area.right()) {
        return;
    }
    painter.setPen(QPen(plot.theme().fieldBorder, 1, Qt::DotLine));
    painter.drawLine(QPointF(now.x(), area.top()), QPointF(now.x(), area.bottom()));
    painter.setFont(textFont(size::caption, QFont::DemiBold));
    const QString label = QString::fromStdString(series.points.back().label);
    QRectF box(now.x() + 12, now.y() + 4, QFontMetricsF(painter.font()).horizontalAdvance(label) + 14, 20);
    if (box.right() > area.right()) {
        box.moveRight(now.x() - 12);
    }
    box.moveBottom(std::min(box.bottom(), area.bottom() - 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(plot.theme().tip);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(plot.theme().tipText);
    painter.drawText(box, Qt::AlignCenter, label);
}

void paintMarkerOfNewest(QPainter& painter, const Plot& plot, std::size_t index) {
    constexpr double rounding = 0.5;  // px; a sample on the border is in sight
    const report::Series& series = plot.spec().series[index];
    const QPointF newest = placement(plot)(series.points.back());
    if (series.points.back().x == series.samples->back().x &&
        plot.chart().plotArea().adjusted(-rounding, -rounding, rounding, rounding).contains(newest)) {
        painter.setOpacity(plot.opacityOf(index));
        drawMarker(painter, newest, plot.looks()[index], plot.theme().panel);
        painter.setOpacity(1);
    }
}

}  // namespace

void paintSamples(QPainter& painter, const Plot& plot) {
    painter.save();
    painter.setClipRect(plot.chart().plotArea());
    const auto& series = plot.spec().series;
    for (const SeriesRole role : {SeriesRole::Data, SeriesRole::RunningMedian}) {
        for (std::size_t i = series.size(); i-- > 0;) {
            if (series[i].role == role && plot.isLive(i)) {
                paintLine(painter, plot, i);
            }
        }
    }
    painter.restore();
}

void paintNewest(QPainter& painter, const Plot& plot) {
    const auto& all = plot.spec().series;
    for (const report::Series& series : all) {
        if (series.role == SeriesRole::RunningMedian && !series.points.empty()) {
            paintMedianNow(painter, plot, series);
        }
    }
    for (std::size_t i = all.size(); i-- > 0;) {
        if (all[i].role == SeriesRole::Data && plot.isLive(i) && !all[i].points.empty()) {
            paintMarkerOfNewest(painter, plot, i);
        }
    }
}

}  // namespace dlperf::ui
