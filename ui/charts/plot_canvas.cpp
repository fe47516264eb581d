// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_canvas.h"

#include <QMouseEvent>
#include <QResizeEvent>
#include <QRubberBand>
#include <algorithm>
#include <cmath>
#include <utility>

namespace dlperf::ui {
namespace {

constexpr int shortestDrag = 6;       // px; less is a click with an unsteady hand
constexpr double wheelNotch = 120.0;  // eighths of a degree, as Qt counts
constexpr double notchFactor = 0.8;   // three notches halve what is shown

bool hasCategories(const Plot& plot) {
    return plot.spec().x.scale == report::AxisScale::Categories;
}

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

PlotCanvas::PlotCanvas(QWidget* parent)
    : QGraphicsView(parent), band_(new QRubberBand(QRubberBand::Rectangle, viewport())) {
    setScene(&scene_);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    for (QWidget* part : std::initializer_list<QWidget*>{viewport(), this}) {
        part->setFocusPolicy(Qt::NoFocus);  // the chart around it has the keyboard
    }
    setMouseTracking(true);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setStyleSheet(QStringLiteral("background: transparent"));
}

void PlotCanvas::setPanning(bool on) {
    panning_ = on;
    showCursor();
}

void PlotCanvas::showCursor() {
    if (drag_ == Drag::Pan) {
        viewport()->setCursor(Qt::ClosedHandCursor);
    } else if (panning_) {
        viewport()->setCursor(Qt::OpenHandCursor);
    } else {
        viewport()->unsetCursor();
    }
}

QRect PlotCanvas::dragged(const QPoint& to) const {
    return QRect(from_, to).normalized() & viewport()->rect();
}

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    scene_.setSceneRect(QRectF(QPointF(0, 0), event->size()));
    emit resized(event->size());
}

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    from_ = event->pos();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (panning_ || shift))) {
        drag_ = Drag::Pan;
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::Select;
    } else {
        event->ignore();
        return;
    }
    showCursor();
    emit pressed();
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (drag_ == Drag::Pan) {
        emit panned(QPointF(event->pos() - from_));
    } else if (drag_ == Drag::Select) {
        const QRect where = dragged(event->pos());
        band_->setGeometry(where);
        band_->setVisible(std::max(where.width(), where.height()) >= shortestDrag);
    } else {
        emit pointed(mapToScene(event->pos()));
    }
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = std::exchange(drag_, Drag::None);
    band_->hide();
    showCursor();
    const QRect where = dragged(event->pos());
    if (ended == Drag::Select && std::max(where.width(), where.height()) >= shortestDrag) {
        emit selected(QRectF(mapToScene(where.topLeft()), QSizeF(where.size())));
    }
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        emit doubleClicked();
    }
}

void PlotCanvas::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    emit left();
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / wheelNotch;
    if (notches == 0 || (takesWheel_ && !takesWheel_(notches > 0))) {
        event->ignore();
        return;
    }
    emit wheeled(mapToScene(event->position().toPoint()), notches);
    event->accept();
}

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
