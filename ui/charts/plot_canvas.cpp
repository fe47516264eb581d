// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_canvas.h"

#include <QMouseEvent>
#include <QResizeEvent>

namespace dlperf::ui {

PlotCanvas::PlotCanvas(QWidget* parent) : QGraphicsView(parent) {
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

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    scene_.setSceneRect(QRectF(QPointF(0, 0), event->size()));
    emit resized(event->size());
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    emit pointed(mapToScene(event->pos()));
}

void PlotCanvas::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    emit left();
}

// The page around the chart scrolls, not the chart.
void PlotCanvas::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace dlperf::ui
