// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_range.h"

#include <algorithm>
#include <cmath>

namespace dlperf::ui {
namespace {

constexpr double logMargin = 0.88;       // a marker on 1 keeps clear of the axis
constexpr double logHeadroom = 1.09375;  // 32 -> 35

double roundStep(double span, int ticks) {
    const double rough = span / ticks;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (rough <= factor * power * (1 + 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

constexpr double narrowestSpan = 1e-6;  // of the whole; beyond, ticks run out of digits
constexpr double categoryShare = 0.7;

}  // namespace

int AxisRange::decimals() const {
    return step >= 1 ? 0 : std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 1, 6);
}

AxisRange roundRange(double lowest, double highest, bool fromZero, int ticks) {
    if (fromZero) {
        lowest = std::min(lowest, 0.0);
    }
    if (!(highest > lowest)) {
        const double around = std::max(std::abs(highest) * 0.1, 1e-3);
        lowest = fromZero ? lowest : lowest - around;
        highest += fromZero && highest > 0 ? highest * 0.1 : around;
    }
    const double step = roundStep(highest - lowest, ticks);
    return {std::floor(lowest / step + 1e-9) * step, std::ceil(highest / step - 1e-9) * step, step};
}

AxisRange exactRange(double lowest, double highest, int ticks) {
    if (!(highest > lowest)) {
        highest = lowest + 1;
    }
    return {lowest, highest, roundStep(highest - lowest, ticks)};
}

AxisRange log2Range(double lowest, double highest) {
    return {std::min(lowest * logMargin, logMargin), std::max(highest, 1.0) * logHeadroom, 2};
}

double stepOf(double value, report::AxisScale scale) {
    return scale == report::AxisScale::Log2 ? std::log2(value) : value;
}

double valueOf(double step, report::AxisScale scale) {
    return scale == report::AxisScale::Log2 ? std::exp2(step) : step;
}

AxisSpan within(AxisSpan span, const AxisSpan& whole) {
    if (span.width() >= whole.width()) {
        return whole;
    }
    const double width = span.width();
    span.low = std::clamp(span.low, whole.low, whole.high - width);
    span.high = span.low + width;
    return span;
}

AxisSpan zoomed(const AxisSpan& span, const AxisSpan& whole, double at, double factor) {
    const double width = std::max(span.width() * factor, whole.width() * narrowestSpan);
    const double fixed = span.low + at * span.width();
    return within({fixed - at * width, fixed + (1 - at) * width}, whole);
}

AxisSpan moved(const AxisSpan& span, const AxisSpan& whole, double by) {
    return within({span.low + by, span.high + by}, whole);
}

AxisSpan wholeCategories(const AxisSpan& span, const AxisSpan& whole) {
    const double count = std::max(1.0, std::round(span.width()));
    const double low = std::round(span.low + 0.5) - 0.5;
    return within({low, low + count}, whole);
}

AxisSpan zoomedCategories(const AxisSpan& span, const AxisSpan& whole, double at, bool in) {
    const double count = std::round(span.width());
    const double next = in ? std::max(1.0, std::min(count - 1, std::floor(count * categoryShare)))
                           : std::max(count + 1, std::ceil(count / categoryShare));
    const double fixed = span.low + at * span.width();
    const double pointed = std::round(fixed);  // the category under the pointer stays in sight
    AxisSpan result = wholeCategories({fixed - at * next, fixed + (1 - at) * next}, whole);
    if (pointed < result.low) {
        result = moved(result, whole, pointed - 0.5 - result.low);
    } else if (pointed > result.high) {
        result = moved(result, whole, pointed + 0.5 - result.high);
    }
    return result;
}

}  // namespace dlperf::ui
