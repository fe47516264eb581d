// SPDX-License-Identifier: Apache-2.0
// Where a line has no figure, a cross on the x axis: bars leave a gap there, a line would hide it.
#pragma once

#include "ui/charts/plot.h"

class QPainter;

namespace dlperf::ui {

// Of a missing point in a chart of lines. Those of several series at one x stand side by side.
[[nodiscard]] QPointF missingPlace(const Plot& plot, const PointRef& ref);

// Of charts of lines; bars have a disc at their foot.
void paintMissing(QPainter& painter, const Plot& plot);

}  // namespace dlperf::ui
