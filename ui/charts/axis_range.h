// SPDX-License-Identifier: Apache-2.0
// Which part of an axis to show, and where its ticks stand.
#pragma once

#include <QtCharts/QAbstractAxis>
#include <string>

#include "core/report/chart_spec.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

struct AxisRange {
    double low = 0;
    double high = 1;
    double step = 1;  // between ticks; 2 on a log2 axis

    int decimals() const;  // that the tick labels need
};

// Round steps of 1, 2 or 5 times a power of ten, about `ticks` of them; fromZero begins at zero.
[[nodiscard]] AxisRange roundRange(double lowest, double highest, bool fromZero, int ticks);
[[nodiscard]] AxisRange exactRange(double lowest, double highest, int ticks);
// A little beyond the values on both sides, from at most 0.88; values must be above zero.
[[nodiscard]] AxisRange log2Range(double lowest, double highest);

// A part of an axis in even steps: values, their log2 on a log axis, or category indices (each spans ±0.5).
struct AxisSpan {
    double low = 0;
    double high = 1;

    double width() const { return high - low; }
    bool holds(double step) const { return step >= low && step <= high; }
    friend bool operator==(const AxisSpan&, const AxisSpan&) = default;
};

// Values must be above zero on a log axis.
[[nodiscard]] double stepOf(double value, report::AxisScale scale);
[[nodiscard]] double valueOf(double step, report::AxisScale scale);

[[nodiscard]] AxisSpan within(AxisSpan span, const AxisSpan& whole);
// What lies at `at` (0 to 1 of the span) stays there; the width is multiplied by the factor.
[[nodiscard]] AxisSpan zoomed(const AxisSpan& span, const AxisSpan& whole, double at, double factor);
[[nodiscard]] AxisSpan moved(const AxisSpan& span, const AxisSpan& whole, double by);

// Categories are shown whole: the nearest span from one border to another, at least one category.
[[nodiscard]] AxisSpan wholeCategories(const AxisSpan& span, const AxisSpan& whole);
[[nodiscard]] AxisSpan zoomedCategories(const AxisSpan& span, const AxisSpan& whole, double at, bool in);

// Qt Charts' axis of that kind; who adds it to a chart gives it away.
[[nodiscard]] QAbstractAxis* makeAxis(const report::Axis& axis);
void styleAxis(QAbstractAxis& axis, const Theme& theme, const std::string& title);
// Doublings: none between them, where what is measured has labels of its own ("5.7 devices" are none).
enum class LogTicks { AsNeeded, Doublings };
void setRange(QAbstractAxis& axis, const AxisRange& range, report::NumberStyle numbers,
              LogTicks logTicks = LogTicks::AsNeeded);
void setCategories(QAbstractAxis& axis, const AxisSpan& span);
// Names are cut only where they would touch; Qt alone cuts them earlier. `room`: px for each.
void fitCategories(QAbstractAxis& axis, double room);

}  // namespace dlperf::ui
