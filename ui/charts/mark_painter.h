// SPDX-License-Identifier: Apache-2.0
// Marks that Qt Charts does not draw: hatches and figures of bars, whiskers, crosses for missing figures.
#pragma once

#include "ui/charts/plot.h"

class QPainter;

namespace dlperf::ui {

// The hatch of a framework's further series, and one figure a group.
void paintHatches(QPainter& painter, const Plot& plot);
void paintBarLabels(QPainter& painter, const Plot& plot);

// From the lowest to the highest repetition, on bars and at points. Bars that are narrower than a whisker's
// caps have it without them, and only where it is long enough to say something; a highlighted series has all
// of its own.
void paintWhiskers(QPainter& painter, const Plot& plot);

// Where a line has no figure, a cross on the x axis: bars leave a gap there (and have a disc at their foot),
// a line would hide it.
void paintMissing(QPainter& painter, const Plot& plot);
// Crosses of several series at one x stand side by side.
[[nodiscard]] QPointF missingPlace(const Plot& plot, const PointRef& ref);

}  // namespace dlperf::ui
