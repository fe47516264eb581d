// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/bar_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

struct Label {
    QRectF box;
    QString text;
    double category = 0;
};

// Beside the middle of its bar, but within the space of its category where it can: on a neighbour's bars it
// would name these.
double leftOf(const Plot& plot, const PointRef& ref, double width) {
    const double category = plot.spec().series[ref.series].points[ref.point].x;
    const double first = plot.positionOf(category - 0.5, 0).x();
    const double last = plot.positionOf(category + 0.5, 0).x();
    const QRectF room = plot.chart().rect();
    const double wished = plot.positionOf(ref).x() - width / 2 + 4;
    const double inCategory =
        width < last - first ? std::clamp(wished, first, last - width) : (first + last - width) / 2;
    return std::clamp(inCategory, room.left(), room.right() - width);
}

std::vector<Label> labelsOf(const Plot& plot, const QFontMetricsF& metrics) {
    std::vector<Label> labels;
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            const report::Point& point = series[s].points[p];
            if (point.label.empty() || !plot.isInSight({s, p})) {
                continue;
            }
            const QString text = QString::fromStdString(point.label);
            const double width = metrics.horizontalAdvance(text);
            const double top = std::min(plot.positionOf(PointRef{s, p}).y(),
                                        plot.positionOf(point.x, point.high.value_or(point.y)).y());
            const QPointF corner(leftOf(plot, {s, p}, width), top - 6 - metrics.ascent());
            labels.push_back({QRectF(corner, QSizeF(width, metrics.ascent())), text, point.x});
        }
    }
    // The highest bars first: where many groups crowd, a lower one goes without.
    std::ranges::sort(labels, {}, [](const Label& label) { return label.box.top(); });
    return labels;
}

struct Bar {
    QRectF box;
    double category = 0;
};

std::vector<Bar> barsOf(const Plot& plot) {
    std::vector<Bar> bars;
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            if (plot.isShown(series[s].points[p])) {
                bars.push_back({plot.barOf({s, p}).normalized(), series[s].points[p].x});
            }
        }
    }
    return bars;
}

}  // namespace

void paintHatches(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Bars) {
        return;
    }
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        painter.setOpacity(plot.opacityOf(s));
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            if (plot.isShown(series[s].points[p])) {
                drawHatch(painter, plot.barOf({s, p}).normalized() & plot.chart().plotArea(),
                          plot.looks()[s]);
            }
        }
    }
    painter.setOpacity(1);
}

void paintBarLabels(QPainter& painter, const Plot& plot) {
    if (plot.spec().kind != report::ChartKind::Bars) {
        return;
    }
    painter.setFont(textFont(size::caption, QFont::DemiBold));
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

}  // namespace dlperf::ui
