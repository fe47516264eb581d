// SPDX-License-Identifier: Apache-2.0
// What Qt Charts does not draw on bars: the hatch of a framework's further series, and one figure a group.
#pragma once

#include "ui/charts/plot.h"

class QPainter;

namespace dlperf::ui {

void paintHatches(QPainter& painter, const Plot& plot);
void paintBarLabels(QPainter& painter, const Plot& plot);

}  // namespace dlperf::ui
