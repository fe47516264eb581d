// SPDX-License-Identifier: Apache-2.0
// Marks that Qt Charts does not draw: hatches and figures of bars, whiskers, crosses for missing figures.
#pragma once

#include <QGraphicsItem>
#include <QMargins>
#include <QPainter>

#include "ui/charts/plot.h"

namespace dlperf::ui {

// The hatch of a framework's further series, and one figure a group.
void paintHatches(QPainter& painter, const Plot& plot);
void paintBarLabels(QPainter& painter, const Plot& plot);

// From the lowest to the highest repetition. Narrow bars have no caps, and only long whiskers; a highlighted
// series has all of its own.
void paintWhiskers(QPainter& painter, const Plot& plot);

// A cross on the x axis where a line has no figure; bars leave a gap and have a disc at their foot.
void paintMissing(QPainter& painter, const Plot& plot);
[[nodiscard]] QPointF missingPlace(const Plot& plot, const PointRef& ref);

// Lines of very many samples, the running median last. Qt Charts strokes a line point by point, and once more
// for its outline, which takes tens of milliseconds where points stand closer than pixels; here a column of
// pixels is filled from its lowest to its highest value, which looks the same.
void paintSamples(QPainter& painter, const Plot& plot);
// Of a run that goes on: a marker at the newest sample of each node, and what the running median is by now.
void paintNewest(QPainter& painter, const Plot& plot);

// What Qt Charts does not draw, as two items in the chart: one below its series (warmup regions, a lit
// category), one above them (crosshair, single repetitions, whiskers, markers, rings, labels, warnings, and
// for files the title and the legend).
class PlotPainter final : public QGraphicsItem {
public:
    enum class Layer { Under, Over };

    PlotPainter(const Plot& plot, Layer layer, QGraphicsItem* parent);

    [[nodiscard]] QMargins margins() const;
    void refresh();

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const Plot& plot_;
    Layer layer_;
};

}  // namespace dlperf::ui
