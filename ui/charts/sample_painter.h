// SPDX-License-Identifier: Apache-2.0
// Lines of very many samples. Qt Charts strokes a line point by point, and once more for its outline, which
// takes tens of milliseconds where the points of a line stand closer than pixels; here a column of pixels is
// filled from its lowest to its highest value, which looks the same.
#pragma once

#include <QPainter>

#include "ui/charts/plot.h"

namespace dlperf::ui {

// All such lines of the plot; the running median last.
void paintSamples(QPainter& painter, const Plot& plot);

}  // namespace dlperf::ui
