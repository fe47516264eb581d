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

}  // namespace dlperf::ui
