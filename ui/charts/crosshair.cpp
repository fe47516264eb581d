// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/crosshair.h"

#include <algorithm>
#include <cmath>

#include "core/report/sample_line.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

using report::NumberStyle;

QString valueText(double value, NumberStyle style, bool sign) {
    switch (style) {
        case NumberStyle::Times:
            return timesText(value);
        case NumberStyle::Percent:
            return percentText(value / 100, sign);
        case NumberStyle::Plain:
            break;
    }
    return figureText(value);
}

QString titleOf(const report::Axis& axis, double x) {
    if (axis.scale == report::AxisScale::Categories) {
        const auto index = static_cast<std::size_t>(std::max(0L, std::lround(x)));
        return index < axis.categories.size() ? QString::fromStdString(axis.categories[index]) : QString();
    }
    const QString number = figureText(x, x == std::round(x) ? 0 : 2);
    return axis.title.empty() ? number : QString::fromStdString(axis.title) + QLatin1Char(' ') + number;
}

std::optional<report::Point> pointAt(const report::Series& series, double x) {
    if (series.samples) {
        const auto sample = series.samples->nearest(x);
        return sample && sample->x == x ? std::optional(report::Point{.x = sample->x, .y = sample->y})
                                        : std::nullopt;
    }
    // Topologies of one number of devices share an x: the figure of one goes before what another lacks.
    const auto found = std::ranges::find_if(
        series.points, [x](const report::Point& point) { return point.x == x && !point.missing; });
    return found == series.points.end() ? std::nullopt : std::optional(*found);
}

// All x that a crosshair can stop at near `x`: for a series of many samples its nearest one.
template <class Take>
void candidates(const Plot& plot, double x, Take take) {
    for (const report::Series& series : plot.spec().series) {
        if (series.role == report::SeriesRole::Ideal) {
            continue;
        }
        if (series.samples) {
            if (const auto sample = series.samples->nearest(x)) {
                take(sample->x);
            }
            continue;
        }
        for (const report::Point& point : series.points) {
            if (plot.hasPlace(point)) {
                take(point.x);
            }
        }
    }
}

}  // namespace

Crosshair crosshairAt(const Plot& plot, double x) {
    const report::ChartSpec& spec = plot.spec();
    Crosshair crosshair{x, titleOf(spec.x, x), {}};
    const bool dots = spec.kind == report::ChartKind::Dots;
    for (std::size_t s = 0; s < spec.series.size(); ++s) {
        if (spec.series[s].role == report::SeriesRole::Ideal) {
            continue;
        }
        QString value = missing;
        if (const auto point = pointAt(spec.series[s], x); point && plot.isShown(*point)) {
            value = valueText(point->y, spec.y.numbers, dots);
            if (dots) {  // the medians are all zero there
                value = point->low ? valueText(*point->low, spec.y.numbers, true) + QStringLiteral(" – ") +
                                         valueText(*point->high, spec.y.numbers, true)
                                   : missing;
            }
        }
        crosshair.rows.push_back({s, value});
    }
    return crosshair;
}

std::optional<Crosshair> crosshairNear(const Plot& plot, const QPointF& position) {
    const auto pointed = plot.valueAt(position);
    if (!pointed) {
        return std::nullopt;
    }
    std::optional<double> best;
    double nearest = 0;
    const auto scale = plot.spec().x.scale;
    candidates(plot, *pointed, [&](double x) {
        const double distance = std::abs(stepOf(x, scale) - stepOf(*pointed, scale));
        if (plot.shown(true).holds(stepOf(x, scale)) && (!best || distance < nearest)) {
            best = x;
            nearest = distance;
        }
    });
    return best ? std::optional(crosshairAt(plot, *best)) : std::nullopt;
}

QString crosshairText(const Plot& plot, const Crosshair& crosshair) {
    QString text = crosshair.title;
    for (const CrosshairRow& row : crosshair.rows) {
        text += QLatin1Char('\n') + QString::fromStdString(plot.spec().series[row.series].title) +
                QLatin1Char('\t') + row.value;
    }
    return text;
}

}  // namespace dlperf::ui
