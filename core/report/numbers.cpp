// SPDX-License-Identifier: Apache-2.0
#include "core/report/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace dlperf::report {
namespace {

constexpr const char* minus = "−";
constexpr const char* noBreakSpace = "\u00A0";

}  // namespace

std::string grouped(double value, int decimals) {
    if (!std::isfinite(value)) {
        return missingFigure;
    }
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool negative = value < 0 && digits.find_first_not_of("0.") != std::string::npos;
    const std::size_t point = digits.find('.');
    for (std::size_t end = point == std::string::npos ? digits.size() : point; end > 3; end -= 3) {
        digits.insert(end - 3, ",");
    }
    return negative ? minus + digits : digits;
}

std::string brief(double value) {
    const double size = std::abs(value);
    return grouped(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string times(double value, int decimals) {
    return grouped(value, decimals) + "×";
}

std::string percent(double fraction, bool sign) {
    const std::string number = grouped(fraction * 100, 1);
    return (sign && fraction > 0 ? "+" : "") + number + noBreakSpace + "%";
}

std::string milliseconds(double seconds) {
    return grouped(seconds * 1000, 1) + noBreakSpace + "ms";
}

std::string dayOf(TimePoint time) {
    return toIso8601(time).substr(0, 10);
}

int decimalsOf(const std::string& unit) {
    return lowerIsBetter(unit) ? 3 : 2;
}

std::string throughputText(std::optional<double> value, int decimals) {
    return value ? grouped(*value, decimals) : missingFigure;
}

}  // namespace dlperf::report
