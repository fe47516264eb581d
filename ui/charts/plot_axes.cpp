// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_axes.h"

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

QString labelFormat(NumberStyle style, int decimals) {
    // Qt takes what follows the number as it stands.
    const QString unit = style == NumberStyle::Times     ? QStringLiteral("×")
                         : style == NumberStyle::Percent ? QStringLiteral("\u00a0%")
                                                         : QString();
    return QStringLiteral("%.%1f").arg(decimals) + unit;
}

// A tick at every doubling; where fewer than two would be seen, at every half, quarter … of one.
void setLogRange(QLogValueAxis& axis, const AxisRange& range, NumberStyle numbers) {
    double step = 1;
    const auto ticks = [&] {
        return std::floor(std::log2(range.high) / step) - std::ceil(std::log2(range.low) / step) + 1;
    };
    while (ticks() < fewestLogTicks && step > finestLogBase) {
        step /= 2;
    }
    axis.setBase(std::exp2(step));
    axis.setRange(range.low, range.high);
    // 0.5 needs one decimal, 0.25 two, …; between doublings, enough to tell one label from the next.
    const int halvings = std::max(0, static_cast<int>(std::floor(-std::log2(range.low))));
    const double apart = range.low * (std::exp2(step) - 1);
    const int fine = step < 1 ? std::max(0, static_cast<int>(std::ceil(-std::log10(apart))) + 1) : 0;
    axis.setLabelFormat(labelFormat(numbers, std::clamp(std::max(halvings, fine), 0, 6)));
}

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

void setRange(QAbstractAxis& axis, const AxisRange& range, NumberStyle numbers) {
    if (auto* value = qobject_cast<QValueAxis*>(&axis)) {
        value->setTickType(QValueAxis::TicksDynamic);
        // Qt adds step to step: a hair above, zero is not "-0.0" and the last label has its room.
        const double hair = range.low < 0 ? range.step * 1e-12 : 0;
        value->setTickAnchor(std::ceil(range.low / range.step - 1e-9) * range.step + hair);
        value->setTickInterval(range.step);
        value->setRange(range.low, range.high + 2 * hair);
        value->setLabelFormat(labelFormat(numbers, range.decimals()));
    } else if (auto* logarithmic = qobject_cast<QLogValueAxis*>(&axis)) {
        setLogRange(*logarithmic, range, numbers);
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

}  // namespace dlperf::ui
