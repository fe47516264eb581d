// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/mark_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/charts/chart_tip.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

using report::ChartKind;
using report::SeriesRole;

constexpr double aboveSeries = 100;  // Qt Charts' own items lie below 20
constexpr double belowGrid = 1;
constexpr int outer = 12;           // px around the chart
constexpr double ringSize = 17;     // of a finding
constexpr double wayThickness = 2;  // px, as Qt Charts' lines have it
constexpr double lineHeight = 16;
constexpr double warningIndent = 20;
constexpr double belowAxis = 4;  // px between an axis and its labels
constexpr double labelGap = 4;   // px between two of them

QFont labelFont() {
    return textFont(size::caption, QFont::DemiBold);
}

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
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

double headerHeight(const Plot& plot) {
    return plot.frame().title ? 26 : 0;
}

struct WarningLine {
    QString words{};
    double height = 0;
    bool isRest = false;  // "and 2 more"
};

// What fits into a third of the chart: the curves are what it is for.
std::vector<WarningLine> warningLines(const Plot& plot) {
    const QFontMetricsF metrics(textFont(size::caption));
    const QSizeF chart = plot.chart().rect().size();
    const double width = chart.width() - 2 * outer - warningIndent;
    const double lineOfRest = metrics.height() + 4;
    double left = chart.height() / 3;
    const auto& warnings = plot.spec().warnings;
    std::vector<WarningLine> lines;
    lines.reserve(warnings.size());
    for (std::size_t i = 0; i < warnings.size(); ++i) {
        const bool isLast = i + 1 == warnings.size();
        WarningLine line{text(warnings[i])};
        line.height =
            metrics.boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, line.words).height() + 4;
        if (line.height + (isLast ? 0 : lineOfRest) > left) {
            if (i > 0) {
                const auto rest = static_cast<int>(warnings.size() - i);
                lines.push_back({ValueTip::tr("and %n more", nullptr, rest), lineOfRest, true});
                return lines;
            }
            line.words = metrics.elidedText(line.words, Qt::ElideRight, width);
            line.height = lineOfRest;
        }
        left -= line.height;
        lines.push_back(line);
    }
    return lines;
}

double warningsHeight(const Plot& plot) {
    double height = 0;
    for (const WarningLine& line : warningLines(plot)) {
        height += line.height;
    }
    return height > 0 ? height + 4 : 0;
}

void paintCrosshair(QPainter& painter, const Plot& plot) {
    const QRectF area = plot.chart().plotArea();
    if (!plot.crosshair()) {
        return;
    }
    const double x = *plot.crosshair();
    const double anyY = plot.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;
    if (plot.spec().x.scale == report::AxisScale::Categories) {
        const QRectF band(QPointF(plot.positionOf(x - 0.5, anyY).x(), area.top()),
                          QPointF(plot.positionOf(x + 0.5, anyY).x(), area.bottom()));
        painter.fillRect(band & area, plot.theme().shade);
        return;
    }
    const double at = plot.positionOf(x, anyY).x();
    if (at >= area.left() && at <= area.right()) {
        painter.setPen(QPen(plot.theme().fieldBorder, 1));
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    }
}

QRectF placeOf(const report::Region& region, const Plot& plot) {
    const QRectF area = plot.chart().plotArea();
    const double anyY = plot.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;  // a log axis has no zero
    const double left = std::max(plot.positionOf(region.from, anyY).x(), area.left());
    const double right = std::min(plot.positionOf(region.to, anyY).x(), area.right());
    return {left, area.top(), right - left, area.height()};
}

void paintRegions(QPainter& painter, const Plot& plot) {
    for (const report::Region& region : plot.spec().regions) {
        if (const QRectF where = placeOf(region, plot); where.width() > 0) {
            painter.fillRect(where, plot.theme().shade);
            painter.setPen(QPen(plot.theme().fieldBorder, 1, Qt::DashLine));
            painter.drawLine(where.topRight(), where.bottomRight());
        }
    }
}

// Over the lines. Never beside the region, where its opposite is: as much of the
// label as there is room for.
void paintRegionLabels(QPainter& painter, const Plot& plot) {
    static const QRegularExpression comma(QStringLiteral("[,，]"));
    constexpr double inside = 6;  // px
    painter.setFont(textFont(size::caption));
    const QFontMetricsF metrics(painter.font());
    for (const report::Region& region : plot.spec().regions) {
        const QRectF where = placeOf(region, plot);
        const QString whole = text(region.label);
        for (const QString& label : {whole, whole.section(comma, 0, 0)}) {
            const double width = metrics.horizontalAdvance(label);
            if (width + 2 * inside <= where.width()) {
                QPainterPath letters;
                letters.addText(where.bottomLeft() + QPointF(inside, -inside), painter.font(), label);
                painter.strokePath(letters, QPen(plot.theme().shade, 3));  // apart from a line that crosses
                painter.setPen(plot.theme().text2);
                painter.drawText(where.bottomLeft() + QPointF(inside, -inside), label);
                break;
            }
        }
    }
}

// What was measured between the doublings of a logarithmic axis: 160 images, 24 devices.
void paintMeasuredValues(QPainter& painter, const Plot& plot) {
    if (plot.spec().x.scale != report::AxisScale::Log2) {
        return;
    }
    const QRectF area = plot.chart().plotArea();
    const AxisSpan part = plot.shown(true);
    painter.setFont(textFont(size::caption));
    const QFontMetricsF metrics(painter.font());
    const auto placeOf = [&](double value) {
        const double width = metrics.horizontalAdvance(QString::number(value)) + labelGap;
        const double at = area.left() + (std::log2(value) - part.low) / part.width() * area.width();
        return QRectF(at - width / 2, area.bottom() + belowAxis, width, metrics.height());
    };
    std::vector<QRectF> taken;  // by the labels of doublings, then from left to right
    for (double step = std::ceil(part.low); step <= part.high; ++step) {
        taken.push_back(placeOf(std::exp2(step)));
    }
    std::set<double> values;
    forEachPoint(plot, [&](const PointRef&, const report::Point& point) { values.insert(point.x); });
    for (const double value : values) {
        const QRectF place = placeOf(value);
        if (!part.holds(std::log2(value)) ||
            std::ranges::any_of(taken, [&](const QRectF& one) { return one.intersects(place); })) {
            continue;
        }
        painter.setPen(QPen(plot.theme().grid, 1));
        painter.drawLine(QPointF(place.center().x(), area.top()), QPointF(place.center().x(), area.bottom()));
        painter.setPen(plot.theme().text2);
        painter.drawText(place, Qt::AlignCenter, QString::number(value));
        taken.push_back(place);
    }
}

void paintAxes(QPainter& painter, const Plot& plot) {
    const QRectF area = plot.chart().plotArea();
    painter.setPen(QPen(plot.theme().fieldBorder, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (plot.spec().kind == ChartKind::Lines) {
        painter.drawLine(area.topLeft(), area.bottomLeft());
    }
    if (report::showsOffsets(plot.spec())) {  // what all of them are off
        const double zero = plot.positionOf(0, 0).y();
        painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero));
    }
}

void paintSingles(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind == ChartKind::Bars) {
        return;
    }
    constexpr double size = 5;
    constexpr double faint = 0.5;
    constexpr double widestDots = 48;  // px
    painter.setPen(Qt::NoPen);
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (point.singles.size() < 2 || plot.isNarrow(ref)) {  // one is the median itself
            return;
        }
        painter.setOpacity(plot.opacityOf(ref.series) * faint);
        painter.setBrush(plot.looks()[ref.series].color);
        // In a column of their own they stand side by side, first to last: a drift is seen.
        const double room =
            plot.spec().kind == ChartKind::Dots ? std::min(plot.barOf(ref).width() * 0.8, widestDots) : 0;
        const double apart = room / static_cast<double>(point.singles.size() - 1);
        double x = plot.positionOf(ref).x() - room / 2;
        for (const double single : point.singles) {
            if (plot.isShown({.x = point.x, .y = single})) {
                painter.drawEllipse(QPointF(x, plot.positionOf(point.x, single).y()), size / 2, size / 2);
            }
            x += apart;
        }
    });
    painter.setOpacity(1);
}

// A line of Qt Charts has no branches: the ways after the first are painted below the markers.
void paintWays(QPainter& painter, const Plot& plot) {
    const auto& series = plot.spec().series;
    painter.setBrush(Qt::NoBrush);
    for (std::size_t s = series.size(); s-- > 0;) {
        painter.setOpacity(plot.opacityOf(s));
        painter.setPen(QPen(plot.looks()[s].color, wayThickness, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        for (std::size_t way = 1; way < series[s].ways.size(); ++way) {
            QPolygonF line;
            for (const std::size_t point : series[s].ways[way]) {
                line << plot.positionOf(PointRef{s, point});
            }
            painter.drawPolyline(line);
        }
    }
    painter.setOpacity(1);
}

void paintMarkers(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind == ChartKind::Bars) {
        return;
    }
    const auto& series = plot.spec().series;
    // The best series lies on top, as in the legend it stands first.
    for (std::size_t s = series.size(); s-- > 0;) {
        if (series[s].role != SeriesRole::Data || plot.isLive(s)) {
            continue;
        }
        painter.setOpacity(plot.opacityOf(s));
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            const bool isLeftOut = report::showsOffsets(plot.spec()) && plot.isNarrow({s, p});
            if (!series[s].points[p].missing && plot.isInSight({s, p}) && !isLeftOut) {
                drawMarker(painter, plot.positionOf(PointRef{s, p}), plot.looks()[s], plot.theme().panel);
            }
        }
    }
    painter.setOpacity(1);
}

void paintFootMarks(QPainter& painter, const Plot& plot) {
    constexpr double wide = 7;  // px
    painter.setPen(QPen(plot.theme().panel, 1));
    painter.setBrush(plot.theme().warn.text);
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (!point.finding.empty() && plot.isInSight(ref) && !plot.isNarrow(ref)) {
            const double foot = plot.chart().plotArea().bottom() - wide / 2 - 2;
            painter.drawEllipse(QPointF(plot.positionOf(ref).x(), foot), wide / 2, wide / 2);
        }
    });
}

void paintRings(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind == ChartKind::Bars) {
        paintFootMarks(painter, plot);
        return;
    }
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](const PointRef& ref, const QColor& color, double size) {
        painter.setPen(QPen(color, 2));
        painter.drawEllipse(plot.positionOf(ref), size / 2, size / 2);
    };
    // Many rings hide the lines: then they lie tight, unless somebody points at their series.
    constexpr std::size_t mostRings = 16;
    constexpr double tightRing = 12;
    std::vector<PointRef> found;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (!point.missing && !point.finding.empty() && plot.isInSight(ref) && !plot.isNarrow(ref)) {
            found.push_back(ref);
        }
    });
    for (const PointRef& ref : found) {
        const bool hasRoom = found.size() <= mostRings || plot.highlighted() == ref.series;
        ring(ref, plot.theme().warn.text, hasRoom ? ringSize : tightRing);
    }
    if (plot.marked() && plot.isInSight(*plot.marked())) {
        ring(*plot.marked(), plot.theme().focus, ringSize);
    }
}

void paintEndLabels(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != ChartKind::Lines) {
        return;
    }
    struct EndLabel {
        QPointF at;
        QString text;
    };
    std::vector<EndLabel> labels;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        const bool isMeasured = plot.spec().series[ref.series].role == SeriesRole::Data && !point.missing;
        if (isMeasured && !point.label.empty() && plot.isInSight(ref)) {
            const double beside = point.finding.empty() ? 9 : 13;  // a ring is wider than a marker
            labels.push_back({plot.positionOf(ref) + QPointF(beside, 4), text(point.label)});
        }
    });
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.at.y() < b.at.y(); });
    painter.setFont(labelFont());
    painter.setPen(plot.theme().text);
    std::map<double, double> lowest;  // by x: where lines part there are labels in the midst of a chart, too
    for (EndLabel& label : labels) {
        const auto above = lowest.find(label.at.x());
        label.at.setY(above == lowest.end() ? label.at.y()
                                            : std::max(label.at.y(), above->second + lineHeight - 3));
        lowest[label.at.x()] = label.at.y();
        painter.drawText(label.at, label.text);
    }
}

void paintIdealLabel(QPainter& painter, const Plot& plot) {
    for (const report::Series& series : plot.spec().series) {
        if (series.role != SeriesRole::Ideal || series.points.size() < 2) {
            continue;
        }
        const QPointF from = plot.positionOf(series.points.front().x, series.points.front().y);
        const QPointF to = plot.positionOf(series.points.back().x, series.points.back().y);
        painter.setFont(textFont(size::caption));
        painter.setPen(plot.theme().ideal);
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text(series.title));
        const QPointF where = from + (to - from) * 0.4 + QPointF(-width - 8, -8);
        if (plot.chart().plotArea().contains(where)) {
            painter.drawText(where, text(series.title));
        }
    }
}

void paintHeader(QPainter& painter, const Plot& plot) {
    if (!plot.frame().title) {
        return;
    }
    painter.setFont(textFont(size::body, QFont::DemiBold));
    painter.setPen(plot.theme().text);
    const std::string& unit = plot.spec().unit;
    painter.drawText(QPointF(outer, outer + 12), text(plot.spec().title + (unit.empty() ? "" : ", " + unit)));
}

void paintWarningSign(QPainter& painter, const QPointF& sign) {
    painter.drawPolygon(QPolygonF{sign + QPointF(0, -5.5), sign + QPointF(6, 5), sign + QPointF(-6, 5)});
    painter.drawLine(sign + QPointF(0, -1.5), sign + QPointF(0, 1.5));
    painter.drawPoint(sign + QPointF(0, 3.4));
}

void paintWarnings(QPainter& painter, const Plot& plot) {
    double y = outer + headerHeight(plot);
    painter.setFont(textFont(size::caption));
    for (const WarningLine& line : warningLines(plot)) {
        painter.setPen(QPen(plot.theme().warn.text, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        if (!line.isRest) {
            paintWarningSign(painter, {outer + 6, y + 7});
        }
        const QRectF room(outer + warningIndent, y, plot.chart().rect().width() - 2 * outer - warningIndent,
                          line.height);
        painter.drawText(room, Qt::TextWordWrap, line.words);
        y += line.height;
    }
}

void paintLegend(QPainter& painter, const Plot& plot) {
    if (!plot.frame().legend) {
        return;
    }
    const double width = plot.chart().rect().width() - 2 * outer;
    const double top = plot.chart().rect().bottom() - legendHeight(plot.spec().series, width);
    painter.setFont(textFont(size::caption));
    for (const LegendPlace& place : legendPlaces(plot.spec().series, width)) {
        const QPointF at(outer + place.x, top + place.y);
        const SeriesStyle& look = plot.looks()[place.series];
        drawKey(painter, QRectF(at.x(), at.y(), 18, 14), look, plot.theme().panel);
        painter.setPen(plot.theme().text);
        painter.drawText(at + QPointF(23, 11), text(plot.spec().series[place.series].title));
    }
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

QMargins PlotPainter::margins() const {
    double right = outer;
    const QFontMetricsF metrics(labelFont());
    forEachPoint(plot_, [&](const PointRef& ref, const report::Point& point) {
        if (!point.label.empty() && plot_.spec().kind == ChartKind::Lines &&
            plot_.spec().series[ref.series].role == SeriesRole::Data) {
            right = std::max(right, metrics.horizontalAdvance(text(point.label)) + outer + 4);
        }
    });
    const double legend =
        plot_.frame().legend ? legendHeight(plot_.spec().series, boundingRect().width() - 2 * outer) : 0;
    return {outer, static_cast<int>(outer + headerHeight(plot_) + warningsHeight(plot_)),
            static_cast<int>(right), static_cast<int>(8 + legend)};
}

void PlotPainter::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (layer_ == Layer::Under) {
        if (plot_.spec().x.scale == report::AxisScale::Categories) {
            paintCrosshair(*painter, plot_);
        }
        paintRegions(*painter, plot_);
        return;
    }
    paintSamples(*painter, plot_);
    paintMeasuredValues(*painter, plot_);
    paintAxes(*painter, plot_);
    if (plot_.spec().x.scale != report::AxisScale::Categories) {
        paintCrosshair(*painter, plot_);
    }
    paintRegionLabels(*painter, plot_);
    paintNewest(*painter, plot_);
    painter->save();
    painter->setClipRect(plot_.chart().plotArea());  // of a zoomed chart no more than its part
    paintSingles(*painter, plot_);
    paintHatches(*painter, plot_);
    paintWhiskers(*painter, plot_);
    paintWays(*painter, plot_);
    painter->restore();
    paintMarkers(*painter, plot_);
    paintMissing(*painter, plot_);
    paintRings(*painter, plot_);
    paintBarLabels(*painter, plot_);
    paintEndLabels(*painter, plot_);
    paintIdealLabel(*painter, plot_);
    paintHeader(*painter, plot_);
    paintWarnings(*painter, plot_);
    paintLegend(*painter, plot_);
}

}  // namespace dlperf::ui
