// SPDX-License-Identifier: Apache-2.0
// What Qt Charts does not draw, as two items in the chart: one below its series (warmup regions, a lit
// category), one above them (crosshair, single repetitions, whiskers, markers, rings, labels, warnings, and
// for files the title and the legend).
#pragma once

#include <QGraphicsItem>
#include <QMargins>
#include <QPainter>

#include "ui/charts/plot.h"

namespace dlperf::ui {

class PlotPainter final : public QGraphicsItem {
public:
    enum class Layer { Under, Over };

    PlotPainter(const Plot& plot, Layer layer, QGraphicsItem* parent);

    // Room around the plot for what stands outside it, at the chart's present size.
    [[nodiscard]] QMargins margins() const;
    void refresh();

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintCrosshair(QPainter& painter) const;
    void paintRegions(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintSingles(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintRings(QPainter& painter) const;
    void paintFootMarks(QPainter& painter) const;
    void paintEndLabels(QPainter& painter) const;
    void paintIdealLabel(QPainter& painter) const;
    void paintNow(QPainter& painter) const;
    void paintHeader(QPainter& painter) const;
    void paintWarnings(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    [[nodiscard]] double headerHeight() const;
    [[nodiscard]] double warningsHeight() const;

    const Plot& plot_;
    Layer layer_;
};

}  // namespace dlperf::ui
