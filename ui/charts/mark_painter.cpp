// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/mark_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr double barLabelGap = 4;  // px between the labels of two bars

struct Label {
    QRectF box;
    QString text;
    double category = 0;
    bool isBest = false;        // of its group
    bool isOverItsBar = false;  // no wider than it
};

// Beside the middle of its bar, within its category: on a neighbour's bars it would name these.
double leftOf(const Plot& plot, const PointRef& ref, double width) {
    const double category = plot.spec().series[ref.series].points[ref.point].x;
    const double first = plot.positionOf(category - 0.5, 0).x();
    const double last = plot.positionOf(category + 0.5, 0).x();
    const QRectF room = plot.chart().rect();
    const double wished = plot.positionOf(ref).x() - width / 2 + barLabelGap;
    const double inCategory =
        width < last - first ? std::clamp(wished, first, last - width) : (first + last - width) / 2;
    return std::clamp(inCategory, room.left(), room.right() - width);
}

std::vector<Label> labelsOf(const Plot& plot, const QFontMetricsF& metrics) {
    std::vector<Label> labels;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (point.label.empty() || !plot.isInSight(ref)) {
            return;
        }
        const QString text = QString::fromStdString(point.label);
        const double width = metrics.horizontalAdvance(text);
        const double top =
            std::min(plot.positionOf(ref).y(), plot.positionOf(point.x, point.high.value_or(point.y)).y());
        const QPointF corner(leftOf(plot, ref, width), top - 6 - metrics.ascent());
        labels.push_back({QRectF(corner, QSizeF(width, metrics.ascent())), text, point.x, point.isBest,
                          width + barLabelGap <= plot.barOf(ref).width()});
    });
    // All of them where each stands over its own bar; else one a group, that nobody takes the others' absence
    // for a difference between them.
    if (!std::ranges::all_of(labels, &Label::isOverItsBar)) {
        std::erase_if(labels, [](const Label& label) { return !label.isBest; });
    }
    // The highest bars first: where many groups crowd, a lower one goes without.
    std::ranges::sort(labels, {}, [](const Label& label) { return label.box.top(); });
    return labels;
}

// Below the top of its part of a stack, where that is high enough.
void paintLabelsInside(QPainter& painter, const Plot& plot) {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(plot.theme().panel);
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        const QRectF bar = plot.barOf(ref).normalized();
        const QString text = QString::fromStdString(point.label);
        if (bar.height() > 1.5 * metrics.height() && bar.width() > metrics.horizontalAdvance(text)) {
            painter.drawText(bar.adjusted(0, metrics.height() / 3, 0, 0), Qt::AlignHCenter | Qt::AlignTop,
                             text);
        }
    });
}

struct Bar {
    QRectF box;
    double category = 0;
};

std::vector<Bar> barsOf(const Plot& plot) {
    std::vector<Bar> bars;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (plot.isShown(point)) {
            bars.push_back({plot.barOf(ref).normalized(), point.x});
        }
    });
    return bars;
}

constexpr double halfCap = 2.5;           // px
constexpr double whiskerThickness = 1.1;  // px
constexpr double leastTold = 4;           // px; on a narrow bar a shorter whisker is but a dot

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
        return {plot.looks()[ref.series].color, whiskerThickness};
    }
    return {plot.theme().text, std::min(whiskerThickness, plot.barOf(ref).width() / 3)};
}

constexpr double halfCross = 3;       // px; of a cross
constexpr double crossThickness = 2;  // px
constexpr double pitch = 11;          // px from one to the next
constexpr double widestRow = 72;      // px; many stand closer

void drawCross(QPainter& painter, const QPointF& at, const QPen& pen) {
    painter.setPen(pen);
    painter.drawLine(at + QPointF(-halfCross, -halfCross), at + QPointF(halfCross, halfCross));
    painter.drawLine(at + QPointF(-halfCross, halfCross), at + QPointF(halfCross, -halfCross));
}

}  // namespace

void paintHatches(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Bars) {
        return;
    }
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (plot.isShown(point)) {
            painter.setOpacity(plot.opacityOf(ref.series));
            drawHatch(painter, plot.barOf(ref).normalized() & plot.chart().plotArea(),
                      plot.looks()[ref.series]);
        }
    });
    painter.setOpacity(1);
}

void paintBarLabels(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Bars) {
        return;
    }
    painter.setFont(textFont(size::caption, QFont::DemiBold));
    if (plot.spec().isStacked) {
        paintLabelsInside(painter, plot);
        return;
    }
    painter.setPen(plot.theme().text);
    const std::vector<Bar> bars = barsOf(plot);
    std::vector<QRectF> taken;
    for (const Label& label : labelsOf(plot, QFontMetricsF(painter.font()))) {
        const QRectF box = label.box.adjusted(-2, 0, 2, 0);
        const bool free =
            std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); }) &&
            std::ranges::none_of(bars, [&](const Bar& bar) {
                return bar.category != label.category && bar.box.intersects(label.box);
            });
        if (free) {
            painter.drawText(label.box.bottomLeft(), label.text);
            taken.push_back(box);
        }
    }
}

void paintWhiskers(QPainter& painter, const Plot& plot) {
    const double least = plot.spec().kind == report::ChartKind::Bars ? leastTold : 0;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point&) {
        const auto whisker = whiskerOf(plot, ref);
        const bool narrow = plot.isNarrow(ref);
        if (!whisker || (narrow && whisker->bottom - whisker->top < least)) {
            return;
        }
        const auto& [x, top, bottom] = *whisker;
        painter.setOpacity(plot.opacityOf(ref.series));
        painter.setPen(narrow ? narrowPen(plot, ref) : QPen(plot.theme().text, whiskerThickness));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (!narrow) {
            painter.drawLine(QPointF(x - halfCap, top), QPointF(x + halfCap, top));
            painter.drawLine(QPointF(x - halfCap, bottom), QPointF(x + halfCap, bottom));
        }
    });
    painter.setOpacity(1);
}

QPointF missingPlace(const Plot& plot, const PointRef& ref) {
    const double x = plot.spec().series[ref.series].points[ref.point].x;
    int before = 0;
    int all = 0;
    forEachPoint(plot, [&](const PointRef& other, const report::Point& point) {
        if (point.missing && point.x == x) {
            before += other < ref ? 1 : 0;
            ++all;
        }
    });
    const double apart = std::min(pitch, widestRow / all);
    const double anyY = plot.spec().y.scale == report::AxisScale::Log2 ? 1 : 0;  // a log axis has no zero
    const QRectF area = plot.chart().plotArea();
    const double middle = plot.positionOf(x, anyY).x();
    const double width = (all - 1) * apart;
    double left = middle - width / 2;
    if (middle >= area.left() && middle <= area.right()) {  // a row at the border stands within it
        left = std::max(std::min(left, area.right() - halfCross - width), area.left() + halfCross);
    }
    return {left + before * apart, area.bottom()};
}

void paintMissing(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Lines) {
        return;
    }
    // More than the axis has room for are a pattern; then a highlighted series has its own.
    constexpr std::ptrdiff_t most = 24;
    std::ptrdiff_t count = 0;
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        count += point.missing && plot.isInSight(ref) ? 1 : 0;
    });
    forEachPoint(plot, [&](const PointRef& ref, const report::Point& point) {
        if (point.missing && plot.isInSight(ref) && (count <= most || plot.highlighted() == ref.series)) {
            const QPointF at = missingPlace(plot, ref);
            painter.setOpacity(plot.opacityOf(ref.series));
            // On its own ground: the axis passes here.
            drawCross(painter, at, {plot.theme().panel, crossThickness + 2, Qt::SolidLine, Qt::RoundCap});
            drawCross(painter, at,
                      {plot.looks()[ref.series].color, crossThickness, Qt::SolidLine, Qt::RoundCap});
        }
    });
    painter.setOpacity(1);
}

}  // namespace dlperf::ui
