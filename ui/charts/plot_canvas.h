// SPDX-License-Identifier: Apache-2.0
// The graphics view inside a ChartView: keeps the plot at its size and tells where the pointer is.
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>

namespace dlperf::ui {

class PlotCanvas final : public QGraphicsView {
    Q_OBJECT

public:
    explicit PlotCanvas(QWidget* parent);
    QGraphicsScene& plotScene() { return scene_; }

signals:
    void resized(const QSize& size);
    void pointed(const QPointF& position);
    void left();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    QGraphicsScene scene_;
};

}  // namespace dlperf::ui
