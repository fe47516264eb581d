// SPDX-License-Identifier: Apache-2.0
// Which part of an axis to show, and where its ticks stand.
#pragma once

namespace dlperf::ui {

struct AxisRange {
    double low = 0;
    double high = 1;
    double step = 1;  // between ticks; 2 on a log2 axis

    int decimals() const;  // that the tick labels need
};

// Round steps of 1, 2 or 5 times a power of ten; about `ticks` intervals. With fromZero the range begins
// there.
[[nodiscard]] AxisRange roundRange(double lowest, double highest, bool fromZero, int ticks);
// Exactly lowest to highest, ticks as above.
[[nodiscard]] AxisRange exactRange(double lowest, double highest, int ticks);
// A little beyond the values on both sides, from at most 0.88; values must be above zero.
[[nodiscard]] AxisRange log2Range(double lowest, double highest);

}  // namespace dlperf::ui
