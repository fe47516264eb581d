// SPDX-License-Identifier: Apache-2.0
// The part of a plot that is looked at: what the axes show of the data, zoomed or whole.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/report/sample_line.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_axes.h"

namespace dlperf::ui {
namespace {

using report::AxisScale;
using report::ChartKind;

constexpr int yTicks = 7;
constexpr double tickRoom = 26;  // px between two labels of the y axis
constexpr int xTicks = 6;
constexpr double samplesPerPixel = 2;  // the lowest and the highest of each

}  // namespace

AxisSpan Plot::extentOf(const report::Point& point) const {
    AxisSpan extent{point.low.value_or(point.y), point.high.value_or(point.y)};
    if (spec_.kind != ChartKind::Bars) {  // bars do not draw them
        for (const double single : point.singles) {
            extent.low = std::min(extent.low, single);
            extent.high = std::max(extent.high, single);
        }
    }
    return extent;
}

AxisSpan Plot::dataExtent(bool horizontal) const {
    AxisSpan extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    const auto take = [&](const AxisSpan& more) {
        extent.low = std::min(extent.low, more.low);
        extent.high = std::max(extent.high, more.high);
    };
    for (const report::Series& series : spec_.series) {
        if (horizontal && series.samples && !series.samples->empty()) {
            take({series.samples->front().x, series.samples->back().x});
            continue;
        }
        for (const report::Point& point : series.points) {
            // Where y follows what is shown, points out of sight do not count.
            const bool counts = horizontal || !view_.x || !fitsY() || view_.x->holds(point.x);
            if (counts && isShown(point)) {
                take(horizontal ? AxisSpan{point.x, point.x} : extentOf(point));
            }
        }
    }
    return extent;
}

AxisRange Plot::rangeOf(const report::Axis& axis, bool horizontal) const {
    auto [low, high] = dataExtent(horizontal);
    if (!(low <= high)) {
        low = axis.scale == AxisScale::Log2 ? 1 : 0;
        high = 1;
    }
    if (axis.scale == AxisScale::Log2) {
        AxisRange range = log2Range(low > 0 ? low : 1, high);
        range.low = axis.lowest.value_or(range.low);
        range.high = axis.highest.value_or(range.high);
        return range;
    }
    low = axis.lowest ? *axis.lowest : low;
    high = axis.highest ? *axis.highest : high;
    if (horizontal) {
        return exactRange(low, high, xTicks);
    }
    return roundRange(low, high, spec_.kind == ChartKind::Bars, fittingTicks());
}

int Plot::fittingTicks() const {
    const double height = chart_->plotArea().height();
    return std::clamp(height > 0 ? static_cast<int>(height / tickRoom) : yTicks, 2, yTicks);
}

AxisSpan Plot::whole(bool horizontal) const {
    const report::Axis& axis = horizontal ? spec_.x : spec_.y;
    if (axis.scale == AxisScale::Categories) {
        return {-0.5, std::max(0.5, static_cast<double>(axis.categories.size()) - 0.5)};
    }
    const AxisRange range = rangeOf(axis, horizontal);
    return {stepOf(range.low, axis.scale), stepOf(range.high, axis.scale)};
}

// Bars stand on zero, and on a line of many samples the eye follows time: only x is zoomed, y follows.
bool Plot::fitsY() const {
    return spec_.kind != ChartKind::Lines || isDense();
}

bool Plot::isDense() const {
    return std::ranges::any_of(spec_.series,
                               [](const report::Series& series) { return series.samples != nullptr; });
}

PlotView Plot::possible(const PlotView& view) const {
    const AxisSpan wholeX = whole(true);
    PlotView next;
    if (view.x && within(*view.x, wholeX) != wholeX) {
        next.x = within(*view.x, wholeX);
        if (spec_.x.scale == AxisScale::Categories) {
            next.x = wholeCategories(*next.x, wholeX);
        }
    }
    if (view.y && !fitsY()) {
        const AxisSpan wholeY = whole(false);
        if (within(*view.y, wholeY) != wholeY) {
            next.y = within(*view.y, wholeY);
        }
    }
    return next;
}

void Plot::setView(const PlotView& view) {
    if (const PlotView next = possible(view); next != view_) {
        view_ = next;
        setRanges();
        arrange();
    }
}

AxisSpan Plot::shown(bool horizontal) const {
    return (horizontal ? view_.x : view_.y).value_or(whole(horizontal));
}

void Plot::applyRange(QAbstractAxis& qtAxis, const report::Axis& axis, bool horizontal) {
    const auto& part = horizontal ? view_.x : view_.y;
    if (axis.scale == AxisScale::Categories) {
        setCategories(qtAxis, shown(horizontal));
    } else if (part) {
        const int ticks = horizontal ? xTicks : fittingTicks();
        setRange(qtAxis, exactRange(valueOf(part->low, axis.scale), valueOf(part->high, axis.scale), ticks),
                 axis.numbers);
    } else {
        setRange(qtAxis, rangeOf(axis, horizontal), axis.numbers);
    }
}

void Plot::setRanges() {
    applyRange(*xAxis_, spec_.x, true);
    takeSamples();
    applyRange(*yAxis_, spec_.y, false);
}

// Of lines with many samples only as much as the pixels of the shown part can tell.
void Plot::takeSamples() {
    const AxisSpan part = shown(true);
    const auto most = static_cast<std::size_t>(std::max(chart_->plotArea().width(), 100.0) * samplesPerPixel);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        report::Series& series = spec_.series[i];
        if (!series.samples) {
            continue;
        }
        if (marked_ && marked_->series == i) {
            marked_.reset();  // its point may be none of the new ones
        }
        const std::string label = series.points.empty() ? std::string() : series.points.back().label;
        endLabels_[i] = label.empty() ? endLabels_[i] : label;
        series.points.clear();
        for (const report::Sample& sample : series.samples->between(part.low, part.high, most)) {
            series.points.push_back({.x = sample.x, .y = sample.y});
        }
        if (!series.points.empty() && series.points.back().x == series.samples->back().x) {
            series.points.back().label = endLabels_[i];
        }
    }
}

// A part that holds the newest point goes on with it; any other stays where it is.
void Plot::replace(report::ChartSpec spec) {
    const std::optional<double> before = newest();
    spec_ = std::move(spec);
    marked_.reset();
    const std::optional<double> now = newest();
    if (view_.x && before && now && view_.x->holds(*before)) {
        view_.x = AxisSpan{view_.x->low + (*now - *before), view_.x->high + (*now - *before)};
    }
    view_ = possible(view_);
    fill();
    setRanges();
    arrange();
}

bool Plot::goesOn(const PointRef& ref) const {
    const report::Series& series = spec_.series[ref.series];
    return series.samples && series.points[ref.point].x < series.samples->back().x;
}

std::optional<double> Plot::newest() const {
    std::optional<double> x;
    for (const report::Series& series : spec_.series) {
        if (series.samples && !series.samples->empty()) {
            x = std::max(x.value_or(series.samples->back().x), series.samples->back().x);
        }
    }
    return x;
}

}  // namespace dlperf::ui
