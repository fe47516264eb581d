// SPDX-License-Identifier: Apache-2.0
// The axes of a plot as Qt Charts has them: kind, ticks, labels.
#pragma once

#include <QtCharts/QAbstractAxis>

#include "core/report/chart_spec.h"
#include "ui/charts/axis_range.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

// Of the axis' kind; who adds it to a chart gives it away.
[[nodiscard]] QAbstractAxis* makeAxis(const report::Axis& axis);
void styleAxis(QAbstractAxis& axis, const Theme& theme, const std::string& title);
void setRange(QAbstractAxis& axis, const AxisRange& range, report::NumberStyle numbers);
void setCategories(QAbstractAxis& axis, const AxisSpan& span);
// Names are cut only where they would touch; Qt alone cuts them earlier. `room`: px for each.
void fitCategories(QAbstractAxis& axis, double room);

}  // namespace dlperf::ui
