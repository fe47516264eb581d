// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_range.h"

#include <QFontMetricsF>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QLogValueAxis>
#include <QtCharts/QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

using report::AxisScale;
using report::NumberStyle;

constexpr double fewestLogTicks = 2;
constexpr double finestLogBase = 1.0 / 64;  // of a doubling

// Qt takes what follows the number as it stands.
QString unitOf(NumberStyle style) {
    return style == NumberStyle::Times     ? QStringLiteral("×")
           : style == NumberStyle::Percent ? QStringLiteral("\u00a0%")
                                           : QString();
}

QString labelFormat(NumberStyle style, int decimals) {
    return QStringLiteral("%.%1f").arg(decimals) + unitOf(style);
}

// A tick at every doubling; where fewer than two would be seen, at every half, quarter … of one.
void setLogRange(QLogValueAxis& axis, const AxisRange& range, NumberStyle numbers, LogTicks logTicks) {
    double step = 1;
    const auto ticks = [&] {
        return std::floor(std::log2(range.high) / step) - std::ceil(std::log2(range.low) / step) + 1;
    };
    while (logTicks == LogTicks::AsNeeded && ticks() < fewestLogTicks && step > finestLogBase) {
        step /= 2;
    }
    axis.setBase(std::exp2(step));
    axis.setRange(range.low, range.high);
    // Below one each label has the decimals that it needs, 2, 1, 0.5, 0.25; between doublings all have enough
    // to tell one from the next.
    const double apart = range.low * (std::exp2(step) - 1);
    const int fine = step < 1 ? std::max(0, static_cast<int>(std::ceil(-std::log10(apart))) + 1) : 0;
    axis.setLabelFormat(step == 1 && range.low < 1 ? QStringLiteral("%.6g") + unitOf(numbers)
                                                   : labelFormat(numbers, std::clamp(fine, 0, 6)));
}

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

QAbstractAxis* makeAxis(const report::Axis& axis) {
    if (axis.scale == AxisScale::Categories) {
        auto* categories = new QBarCategoryAxis;
        for (const std::string& name : axis.categories) {
            categories->append(QString::fromStdString(name));
        }
        return categories;
    }
    if (axis.scale == AxisScale::Log2) {
        return new QLogValueAxis;
    }
    return new QValueAxis;
}

void styleAxis(QAbstractAxis& axis, const Theme& theme, const std::string& title) {
    axis.setLabelsFont(textFont(size::caption));
    axis.setLabelsColor(theme.text2);
    axis.setTitleFont(textFont(size::caption));
    axis.setTitleBrush(theme.text3);
    axis.setLineVisible(false);  // its ticks would come along; the painter draws the line
    axis.setGridLinePen(QPen(theme.grid, 1));
    axis.setMinorGridLineVisible(false);
    // Figures are short and have their room; a logarithmic axis cuts them where they would fit.
    if (qobject_cast<QBarCategoryAxis*>(&axis) == nullptr) {
        axis.setTruncateLabels(false);
    }
    axis.setTitleText(QString::fromStdString(title));
}

void setRange(QAbstractAxis& axis, const AxisRange& range, NumberStyle numbers, LogTicks logTicks) {
    if (auto* value = qobject_cast<QValueAxis*>(&axis)) {
        value->setTickType(QValueAxis::TicksDynamic);
        // Qt adds step to step: a hair above, zero is not "-0.0" and the last label has its room.
        const double hair = range.low < 0 ? range.step * 1e-12 : 0;
        value->setTickAnchor(std::ceil(range.low / range.step - 1e-9) * range.step + hair);
        value->setTickInterval(range.step);
        value->setRange(range.low, range.high + 2 * hair);
        value->setLabelFormat(labelFormat(numbers, range.decimals()));
    } else if (auto* logarithmic = qobject_cast<QLogValueAxis*>(&axis)) {
        setLogRange(*logarithmic, range, numbers, logTicks);
    }
}

void fitCategories(QAbstractAxis& axis, double room) {
    auto* categories = qobject_cast<QBarCategoryAxis*>(&axis);
    if (categories == nullptr) {
        return;
    }
    constexpr double gap = 4;  // px between two names
    const QFontMetricsF metrics(axis.labelsFont());
    const QStringList names = categories->categories();
    axis.setTruncateLabels(std::ranges::any_of(
        names, [&](const QString& name) { return metrics.horizontalAdvance(name) + gap > room; }));
}

void setCategories(QAbstractAxis& axis, const AxisSpan& span) {
    auto* categories = qobject_cast<QBarCategoryAxis*>(&axis);
    const auto last = static_cast<int>(std::lround(span.high - 0.5));
    if (categories != nullptr && last < categories->count()) {
        categories->setRange(categories->at(static_cast<int>(std::lround(span.low + 0.5))),
                             categories->at(last));
    }
}

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
