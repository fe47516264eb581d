// SPDX-License-Identifier: Apache-2.0
// What gestures and keys make of a plot's view.
#pragma once

#include <QPointF>
#include <QRectF>

#include "ui/charts/plot.h"

namespace dlperf::ui {

// Positions and distances are in px of the scene. `notches` of a wheel: above zero zooms in.
void zoomAt(Plot& plot, const QPointF& position, double notches);
// To what a rectangle covers; where y follows x, its height does not matter.
void zoomTo(Plot& plot, const QRectF& where);
// The content goes along with the pointer, which has moved so far since the view was `start`.
void pan(Plot& plot, const PlotView& start, const QPointF& distance);
// By shares of what is shown: right and up are above zero.
void panBy(Plot& plot, double right, double up);
// Moves the part, without zooming, until the point is in it.
void reveal(Plot& plot, const PointRef& point);

}  // namespace dlperf::ui
