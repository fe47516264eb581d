// SPDX-License-Identifier: Apache-2.0
// How figures and dates are written for people: group separators, fixed decimals, a true minus.
#pragma once

#include <optional>
#include <string>

#include "core/model/case.h"

namespace dlperf::report {

inline constexpr const char* missingFigure = "–";

// "12,411.97", "−3.20"; not a number: "–"
[[nodiscard]] std::string grouped(double value, int decimals);
// As a chart label: "12,412", "97.5", "3.14": at least three digits.
[[nodiscard]] std::string brief(double value);
// "31.21×"
[[nodiscard]] std::string times(double value, int decimals = 2);
// 0.975 -> "97.5 %" with a no-break space; `sign` writes "+8.7 %" too
[[nodiscard]] std::string percent(double fraction, bool sign = false);
// "2.6 ms" of 0.0026, with a no-break space
[[nodiscard]] std::string milliseconds(double seconds);
// "2026-11-21", in UTC
[[nodiscard]] std::string dayOf(TimePoint time);
// A figure in tables: 2 decimals, as DLPerf rounds throughput; 3 of a time, as DLPerf prints it in ms.
[[nodiscard]] int decimalsOf(const std::string& unit);
[[nodiscard]] std::string throughputText(std::optional<double> value, int decimals = 2);

}  // namespace dlperf::report
