// SPDX-License-Identifier: Apache-2.0
// The graphics view inside a ChartView, and what gestures and keys make of a plot's view.
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>
#include <QPointF>
#include <QRectF>
#include <functional>

#include "ui/charts/plot.h"

class QRubberBand;

namespace dlperf::ui {

class PlotCanvas final : public QGraphicsView {
    Q_OBJECT

public:
    explicit PlotCanvas(QWidget* parent);
    QGraphicsScene& plotScene() { return scene_; }

    // While it is on, the left button pans, as the middle one does and the left one with Shift.
    void setPanning(bool on);
    // Nothing is left of the wheel for the chart when it can be zoomed no further: the page scrolls.
    void setTakesWheel(std::function<bool(bool in)> takes) { takesWheel_ = std::move(takes); }

signals:
    // Positions and distances are in px of the scene.
    void resized(const QSize& size);
    void pointed(const QPointF& position);  // without a button
    void left();
    void pressed();
    void wheeled(const QPointF& position, double notches);  // above zero: away from the user
    void selected(const QRectF& where);                     // dragged over
    void panned(const QPointF& distance);                   // since it was pressed
    void doubleClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    enum class Drag { None, Select, Pan };
    [[nodiscard]] QRect dragged(const QPoint& to) const;
    void showCursor();

    QGraphicsScene scene_;
    QRubberBand* band_;
    std::function<bool(bool)> takesWheel_;
    Drag drag_ = Drag::None;
    QPoint from_;
    bool panning_ = false;
};

// Positions and distances are in px of the scene. `notches` of a wheel: above zero zooms in.
void zoomAt(Plot& plot, const QPointF& position, double notches);
// To what a rectangle covers; where y follows x, its height does not matter.
void zoomTo(Plot& plot, const QRectF& where);
// The content goes along with the pointer, which has moved so far since the view was `start`.
void pan(Plot& plot, const PlotView& start, const QPointF& distance);
// By shares of what is shown: right and up are above zero.
void panBy(Plot& plot, double right, double up);
void reveal(Plot& plot, const PointRef& point);

}  // namespace dlperf::ui
