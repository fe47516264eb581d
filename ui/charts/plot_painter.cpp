// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/mark_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

using report::ChartKind;
using report::SeriesRole;

constexpr double aboveSeries = 100;  // Qt Charts' own items lie below 20
constexpr double belowGrid = 1;
constexpr int outer = 12;        // px around the chart
constexpr double ringSize = 17;  // of a finding
constexpr double lineHeight = 16;

QFont labelFont() {
    return textFont(size::caption, QFont::DemiBold);
}

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

std::optional<std::size_t> endOf(const report::Series& series) {
    for (std::size_t p = series.points.size(); p-- > 0;) {
        if (!series.points[p].missing) {
            return p;
        }
    }
    return std::nullopt;
}

// Where the entries of a legend stand in a picture: rows from left to right, broken at the width.
struct LegendPlace {
    std::size_t series = 0;
    double x = 0;  // px from the legend's left and top
    double y = 0;
};

constexpr double legendRowHeight = 18;
constexpr double legendKeyWidth = 23;
constexpr double legendGap = 16;

// Measured series and running medians; the ideal line is named in the plot.
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
            legendKeyWidth + metrics.horizontalAdvance(QString::fromStdString(series[i].title)) + legendGap;
        if (x > 0 && x + entry - legendGap > width) {
            x = 0;
            y += legendRowHeight;
        }
        places.push_back({i, x, y});
        x += entry;
    }
    return places;
}

double legendHeight(const std::vector<report::Series>& series, double width) {
    const auto places = legendPlaces(series, width);
    return places.empty() ? 0 : places.back().y + legendRowHeight + 6;
}

}  // namespace

PlotPainter::PlotPainter(const Plot& plot, Layer layer, QGraphicsItem* parent)
    : QGraphicsItem(parent), plot_(plot), layer_(layer) {
    setZValue(layer == Layer::Over ? aboveSeries : belowGrid);
    setAcceptedMouseButtons(Qt::NoButton);
}

void PlotPainter::refresh() {
    prepareGeometryChange();
    update();
}

QRectF PlotPainter::boundingRect() const {
    return plot_.chart().rect();
}

double PlotPainter::headerHeight() const {
    return plot_.frame().title ? 26 : 0;
}

double PlotPainter::warningsHeight() const {
    const QFontMetricsF metrics(textFont(size::caption));
    double height = 0;
    for (const std::string& warning : plot_.spec().warnings) {
        const QRectF room(0, 0, boundingRect().width() - 2 * outer - 20, 1000);
        height += metrics.boundingRect(room, Qt::TextWordWrap, text(warning)).height() + 4;
    }
    return height > 0 ? height + 4 : 0;
}

QMargins PlotPainter::margins() const {
    double right = outer;
    const QFontMetricsF metrics(labelFont());
    for (const report::Series& series : plot_.spec().series) {
        const auto end = endOf(series);
        if (plot_.spec().kind == ChartKind::Lines && series.role == SeriesRole::Data && end) {
            right = std::max(right, metrics.horizontalAdvance(text(series.points[*end].label)) + outer + 4);
        }
    }
    const double legend =
        plot_.frame().legend ? legendHeight(plot_.spec().series, boundingRect().width() - 2 * outer) : 0;
    return {outer, static_cast<int>(outer + headerHeight() + warningsHeight()), static_cast<int>(right),
            static_cast<int>(8 + legend)};
}

void PlotPainter::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (layer_ == Layer::Under) {
        if (plot_.spec().x.scale == report::AxisScale::Categories) {
            paintCrosshair(*painter);
        }
        paintRegions(*painter);
        return;
    }
    paintSamples(*painter, plot_);
    paintAxes(*painter);
    if (plot_.spec().x.scale != report::AxisScale::Categories) {
        paintCrosshair(*painter);
    }
    paintNow(*painter);
    painter->save();
    painter->setClipRect(plot_.chart().plotArea());  // of a zoomed chart no more than its part
    paintSingles(*painter);
    paintHatches(*painter, plot_);
    paintWhiskers(*painter, plot_);
    painter->restore();
    paintMarkers(*painter);
    paintMissing(*painter, plot_);
    paintRings(*painter);
    paintBarLabels(*painter, plot_);
    paintEndLabels(*painter);
    paintIdealLabel(*painter);
    paintHeader(*painter);
    paintWarnings(*painter);
    paintLegend(*painter);
}

// A category as a band below its bars, any other x as a line.
void PlotPainter::paintCrosshair(QPainter& painter) const {
    const QRectF area = plot_.chart().plotArea();
    if (!plot_.crosshair()) {
        return;
    }
    const double x = *plot_.crosshair();
    const double anyY = plot_.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;
    if (plot_.spec().x.scale == report::AxisScale::Categories) {
        const QRectF band(QPointF(plot_.positionOf(x - 0.5, anyY).x(), area.top()),
                          QPointF(plot_.positionOf(x + 0.5, anyY).x(), area.bottom()));
        painter.fillRect(band & area, plot_.theme().shade);
        return;
    }
    const double at = plot_.positionOf(x, anyY).x();
    if (at >= area.left() && at <= area.right()) {
        painter.setPen(QPen(plot_.theme().fieldBorder, 1));
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    }
}

void PlotPainter::paintRegions(QPainter& painter) const {
    const QRectF area = plot_.chart().plotArea();
    const double anyY = plot_.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;  // a log axis has no zero
    for (const report::Region& region : plot_.spec().regions) {
        const double left = std::max(plot_.positionOf(region.from, anyY).x(), area.left());
        const double right = std::min(plot_.positionOf(region.to, anyY).x(), area.right());
        if (right <= left) {
            continue;
        }
        const QRectF where(left, area.top(), right - left, area.height());
        painter.fillRect(where, plot_.theme().shade);
        painter.setPen(QPen(plot_.theme().fieldBorder, 1, Qt::DashLine));
        painter.drawLine(where.topRight(), where.bottomRight());
        painter.setFont(textFont(size::caption));
        painter.setPen(plot_.theme().text2);
        const QString label = text(region.label);
        const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(label) + 12 < where.width();
        painter.drawText((fits ? where.bottomLeft() : where.bottomRight()) + QPointF(6, -6), label);
    }
}

void PlotPainter::paintAxes(QPainter& painter) const {
    const QRectF area = plot_.chart().plotArea();
    painter.setPen(QPen(plot_.theme().fieldBorder, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (plot_.spec().kind == ChartKind::Lines) {
        painter.drawLine(area.topLeft(), area.bottomLeft());
    }
    if (plot_.spec().kind == ChartKind::Dots) {  // what all of them are off
        const double zero = plot_.positionOf(0, 0).y();
        painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero));
    }
}

// The repetitions behind a median: seen, but not in its way.
void PlotPainter::paintSingles(QPainter& painter) const {
    if (plot_.spec().kind == ChartKind::Bars) {
        return;
    }
    constexpr double size = 5;
    constexpr double faint = 0.5;
    constexpr double widestDots = 48;  // px
    painter.setPen(Qt::NoPen);
    forEachPoint(plot_, [&](const PointRef& ref, const report::Point& point) {
        if (point.singles.size() < 2 || plot_.isNarrow(ref)) {  // one is the median itself
            return;
        }
        painter.setOpacity(plot_.opacityOf(ref.series) * faint);
        painter.setBrush(plot_.looks()[ref.series].color);
        // In a column of their own they stand side by side, first to last: a drift is seen.
        const double room =
            plot_.spec().kind == ChartKind::Dots ? std::min(plot_.barOf(ref).width() * 0.8, widestDots) : 0;
        const double apart = room / static_cast<double>(point.singles.size() - 1);
        double x = plot_.positionOf(ref).x() - room / 2;
        for (const double single : point.singles) {
            if (plot_.isShown({.x = point.x, .y = single})) {
                painter.drawEllipse(QPointF(x, plot_.positionOf(point.x, single).y()), size / 2, size / 2);
            }
            x += apart;
        }
    });
    painter.setOpacity(1);
}

void PlotPainter::paintMarkers(QPainter& painter) const {
    if (plot_.spec().kind == ChartKind::Bars) {
        return;
    }
    const auto& series = plot_.spec().series;
    // The best series lies on top, as in the legend it stands first.
    for (std::size_t s = series.size(); s-- > 0;) {
        if (series[s].role != SeriesRole::Data || series[s].points.empty()) {
            continue;
        }
        painter.setOpacity(plot_.opacityOf(s));
        const std::size_t first = plot_.isLive(s) ? series[s].points.size() - 1 : 0;
        for (std::size_t p = first; p < series[s].points.size(); ++p) {
            if (!series[s].points[p].missing && plot_.isInSight({s, p}) && !plot_.goesOn({s, p}) &&
                !plot_.isNarrow({s, p})) {
                drawMarker(painter, plot_.positionOf(PointRef{s, p}), plot_.looks()[s], plot_.theme().panel);
            }
        }
    }
    painter.setOpacity(1);
}

// A ring around the top of a bar would cross its neighbours and the whiskers: a disc at its foot marks it.
void PlotPainter::paintFootMarks(QPainter& painter) const {
    constexpr double wide = 7;  // px
    painter.setPen(QPen(plot_.theme().panel, 1));
    painter.setBrush(plot_.theme().warn.text);
    forEachPoint(plot_, [&](const PointRef& ref, const report::Point& point) {
        if (!point.finding.empty() && plot_.isInSight(ref) && !plot_.isNarrow(ref)) {
            const double foot = plot_.chart().plotArea().bottom() - wide / 2 - 2;
            painter.drawEllipse(QPointF(plot_.positionOf(ref).x(), foot), wide / 2, wide / 2);
        }
    });
}

void PlotPainter::paintRings(QPainter& painter) const {
    if (plot_.spec().kind != ChartKind::Lines) {
        paintFootMarks(painter);
        return;
    }
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](const PointRef& ref, const QColor& color) {
        painter.setPen(QPen(color, 2));
        painter.drawEllipse(plot_.positionOf(ref), ringSize / 2, ringSize / 2);
    };
    forEachPoint(plot_, [&](const PointRef& ref, const report::Point& point) {
        if (!point.missing && !point.finding.empty() && plot_.isInSight(ref)) {
            ring(ref, plot_.theme().warn.text);
        }
    });
    if (plot_.marked() && plot_.isInSight(*plot_.marked())) {
        ring(*plot_.marked(), plot_.theme().focus);
    }
}

void PlotPainter::paintEndLabels(QPainter& painter) const {
    if (plot_.spec().kind != ChartKind::Lines) {
        return;
    }
    struct Label {
        QPointF at;
        QString text;
    };
    std::vector<Label> labels;
    const auto& series = plot_.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        const auto last = endOf(series[s]);
        if (series[s].role != SeriesRole::Data || !last) {
            continue;
        }
        if (const report::Point& point = series[s].points[*last];
            !point.label.empty() && plot_.isInSight({s, *last})) {
            const double beside = point.finding.empty() ? 9 : 13;  // a ring is wider than a marker
            labels.push_back({plot_.positionOf(PointRef{s, *last}) + QPointF(beside, 4), text(point.label)});
        }
    }
    std::sort(labels.begin(), labels.end(),
              [](const Label& a, const Label& b) { return a.at.y() < b.at.y(); });
    painter.setFont(labelFont());
    painter.setPen(plot_.theme().text);
    double lowest = -1e9;
    for (Label& label : labels) {
        label.at.setY(std::max(label.at.y(), lowest + lineHeight - 3));
        lowest = label.at.y();
        painter.drawText(label.at, label.text);
    }
}

void PlotPainter::paintIdealLabel(QPainter& painter) const {
    for (const report::Series& series : plot_.spec().series) {
        if (series.role != SeriesRole::Ideal || series.points.size() < 2) {
            continue;
        }
        const QPointF from = plot_.positionOf(series.points.front().x, series.points.front().y);
        const QPointF to = plot_.positionOf(series.points.back().x, series.points.back().y);
        painter.setFont(textFont(size::caption));
        painter.setPen(plot_.theme().ideal);
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text(series.title));
        const QPointF where = from + (to - from) * 0.4 + QPointF(-width - 8, -8);
        if (plot_.chart().plotArea().contains(where)) {
            painter.drawText(where, text(series.title));
        }
    }
}

// A live chart: where the run is now, and its running median in words.
void PlotPainter::paintNow(QPainter& painter) const {
    const QRectF area = plot_.chart().plotArea();
    for (const report::Series& series : plot_.spec().series) {
        if (series.role != SeriesRole::RunningMedian || series.points.empty() ||
            series.points.back().label.empty()) {
            continue;
        }
        const QPointF now = plot_.positionOf(series.points.back().x, series.points.back().y);
        if (now.x() < area.left() || now.x() > area.right()) {
            continue;
        }
        painter.setPen(QPen(plot_.theme().fieldBorder, 1, Qt::DotLine));
        painter.drawLine(QPointF(now.x(), area.top()), QPointF(now.x(), area.bottom()));
        painter.setFont(labelFont());
        const QString label = text(series.points.back().label);
        QRectF box(now.x() + 12, now.y() + 4, QFontMetricsF(painter.font()).horizontalAdvance(label) + 14,
                   20);
        if (box.right() > area.right()) {
            box.moveRight(now.x() - 12);
        }
        box.moveBottom(std::min(box.bottom(), area.bottom() - 2));
        painter.setPen(Qt::NoPen);
        painter.setBrush(plot_.theme().tip);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(plot_.theme().tipText);
        painter.drawText(box, Qt::AlignCenter, label);
    }
}

void PlotPainter::paintHeader(QPainter& painter) const {
    if (!plot_.frame().title) {
        return;
    }
    painter.setFont(textFont(size::body, QFont::DemiBold));
    painter.setPen(plot_.theme().text);
    const std::string& unit = plot_.spec().unit;
    painter.drawText(QPointF(outer, outer + 12),
                     text(plot_.spec().title + (unit.empty() ? "" : ", " + unit)));
}

void PlotPainter::paintWarnings(QPainter& painter) const {
    double y = outer + headerHeight();
    painter.setFont(textFont(size::caption));
    for (const std::string& warning : plot_.spec().warnings) {
        painter.setPen(QPen(plot_.theme().warn.text, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        const QPointF sign(outer + 6, y + 7);
        painter.drawPolygon(QPolygonF{sign + QPointF(0, -5.5), sign + QPointF(6, 5), sign + QPointF(-6, 5)});
        painter.drawLine(sign + QPointF(0, -1.5), sign + QPointF(0, 1.5));
        painter.drawPoint(sign + QPointF(0, 3.4));
        const QRectF room(outer + 20, y, boundingRect().width() - 2 * outer - 20, 1000);
        QRectF used;
        painter.drawText(room, Qt::TextWordWrap, text(warning), &used);
        y += used.height() + 4;
    }
}

void PlotPainter::paintLegend(QPainter& painter) const {
    if (!plot_.frame().legend) {
        return;
    }
    const double width = boundingRect().width() - 2 * outer;
    const double top = boundingRect().bottom() - legendHeight(plot_.spec().series, width);
    painter.setFont(textFont(size::caption));
    for (const LegendPlace& place : legendPlaces(plot_.spec().series, width)) {
        const QPointF at(outer + place.x, top + place.y);
        const SeriesStyle& look = plot_.looks()[place.series];
        drawKey(painter, QRectF(at.x(), at.y(), 18, 14), look, plot_.theme().panel);
        painter.setPen(plot_.theme().text);
        painter.drawText(at + QPointF(23, 11), text(plot_.spec().series[place.series].title));
    }
}

}  // namespace dlperf::ui
