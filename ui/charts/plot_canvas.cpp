// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_canvas.h"

#include <QMouseEvent>
#include <QResizeEvent>
#include <QRubberBand>
#include <algorithm>
#include <utility>

namespace dlperf::ui {
namespace {

constexpr int shortestDrag = 6;       // px; less is a click with an unsteady hand
constexpr double wheelNotch = 120.0;  // eighths of a degree, as Qt counts

}  // namespace

PlotCanvas::PlotCanvas(QWidget* parent)
    : QGraphicsView(parent), band_(new QRubberBand(QRubberBand::Rectangle, viewport())) {
    setScene(&scene_);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setFocusPolicy(Qt::NoFocus);  // the chart around it has the keyboard
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

}  // namespace dlperf::ui
