// SPDX-License-Identifier: Apache-2.0
// Whiskers from the lowest to the highest repetition, on bars and at points. Qt Charts has none.
#pragma once

#include "ui/charts/plot.h"

class QPainter;

namespace dlperf::ui {

// Bars that are narrower than a whisker's caps have it without them, and only where it is long enough to say
// something; a highlighted series has all of its own.
void paintWhiskers(QPainter& painter, const Plot& plot);

}  // namespace dlperf::ui
