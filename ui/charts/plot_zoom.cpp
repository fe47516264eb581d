// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_zoom.h"

#include <algorithm>
#include <cmath>

namespace dlperf::ui {
namespace {

constexpr double notchFactor = 0.8;  // three notches halve what is shown

bool hasCategories(const Plot& plot) {
    return plot.spec().x.scale == report::AxisScale::Categories;
}

// 0 to 1 from the axis' low end.
double shareOf(const Plot& plot, const QPointF& position, bool horizontal) {
    const QRectF area = plot.chart().plotArea();
    const double share = horizontal ? (position.x() - area.left()) / area.width()
                                    : (area.bottom() - position.y()) / area.height();
    return std::clamp(share, 0.0, 1.0);
}

AxisSpan partOf(const AxisSpan& span, double from, double to) {
    return {span.low + from * span.width(), span.low + to * span.width()};
}

// Moved no further than needed; a point that is out of sight comes to the middle.
AxisSpan revealed(const AxisSpan& span, const AxisSpan& whole, double step) {
    return span.holds(step) ? span : moved(span, whole, step - (span.low + span.high) / 2);
}

}  // namespace

void zoomAt(Plot& plot, const QPointF& position, double notches) {
    const double factor = std::pow(notchFactor, notches);
    PlotView view;
    view.x =
        hasCategories(plot)
            ? zoomedCategories(plot.shown(true), plot.whole(true), shareOf(plot, position, true), notches > 0)
            : zoomed(plot.shown(true), plot.whole(true), shareOf(plot, position, true), factor);
    if (!plot.fitsY()) {
        view.y = zoomed(plot.shown(false), plot.whole(false), shareOf(plot, position, false), factor);
    }
    plot.setView(view);
}

void zoomTo(Plot& plot, const QRectF& where) {
    PlotView view;
    AxisSpan x =
        partOf(plot.shown(true), shareOf(plot, where.topLeft(), true), shareOf(plot, where.topRight(), true));
    if (hasCategories(plot)) {  // all that the rectangle touches
        x = {std::round(x.low) - 0.5, std::round(x.high) + 0.5};
    }
    const AxisSpan wholeX = plot.whole(true);
    view.x = zoomed(x, wholeX, 0.5, 1);  // not narrower than an axis can show
    if (!plot.fitsY()) {
        const AxisSpan y = partOf(plot.shown(false), shareOf(plot, where.bottomLeft(), false),
                                  shareOf(plot, where.topLeft(), false));
        view.y = zoomed(y, plot.whole(false), 0.5, 1);
    }
    plot.setView(view);
}

void pan(Plot& plot, const PlotView& start, const QPointF& distance) {
    const QRectF area = plot.chart().plotArea();
    PlotView view = start;
    if (view.x) {
        view.x = moved(*view.x, plot.whole(true), -distance.x() / area.width() * view.x->width());
    }
    if (view.y) {
        view.y = moved(*view.y, plot.whole(false), distance.y() / area.height() * view.y->width());
    }
    plot.setView(view);
}

void panBy(Plot& plot, double right, double up) {
    PlotView view = plot.view();
    if (view.x) {
        double by = right * view.x->width();
        if (hasCategories(plot) && by != 0) {  // at least one: half of one cannot be shown
            by = std::copysign(std::max(std::abs(by), 1.0), by);
        }
        view.x = moved(*view.x, plot.whole(true), by);
    }
    if (view.y) {
        view.y = moved(*view.y, plot.whole(false), up * view.y->width());
    }
    plot.setView(view);
}

void reveal(Plot& plot, const PointRef& ref) {
    const report::Point& point = plot.spec().series[ref.series].points[ref.point];
    PlotView view = plot.view();
    if (view.x) {
        view.x = revealed(*view.x, plot.whole(true), stepOf(point.x, plot.spec().x.scale));
    }
    if (view.y && !point.missing) {
        view.y = revealed(*view.y, plot.whole(false), stepOf(point.y, plot.spec().y.scale));
    }
    plot.setView(view);
}

}  // namespace dlperf::ui
