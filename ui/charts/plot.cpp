// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QtCharts/QAbstractAxis>
#include <QtCharts/QBarSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QStackedBarSeries>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/report/sample_line.h"
#include "ui/charts/axis_range.h"
#include "ui/charts/mark_painter.h"
#include "ui/charts/series_look.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

using report::AxisScale;
using report::ChartKind;
using report::SeriesRole;

constexpr double widestGroup = 0.85;  // of the space of one category
constexpr double widestBar = 56;      // px; few bars must not become walls
constexpr double widestStack = 96;
constexpr int yTicks = 7;
constexpr double tickRoom = 26;  // px between two labels of the y axis
constexpr int xTicks = 6;
constexpr double samplesPerPixel = 2;  // the lowest and the highest of each
constexpr double faded = 0.35;         // alpha of the others while one series is highlighted

QColor withOpacity(QColor color, double opacity) {
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

bool sameShape(const report::Series& a, const report::Series& b) {
    return a.key == b.key && a.title == b.title && a.framework == b.framework && a.fill == b.fill &&
           a.role == b.role;
}

bool sameAxis(const report::Axis& a, const report::Axis& b) {
    return a.title == b.title && a.scale == b.scale && a.numbers == b.numbers && a.categories == b.categories;
}

}  // namespace

Plot::Plot(QGraphicsScene& scene, report::ChartSpec spec, const Theme& theme, PlotFrame frame)
    : spec_(std::move(spec)),
      theme_(theme),
      frame_(frame),
      looks_(seriesLooks(theme, spec_.series)),
      chart_(std::make_unique<QChart>()) {
    scene.addItem(chart_.get());
    build();
}

Plot::~Plot() = default;

void Plot::build() {
    chart_->setLocalizeNumbers(true);
    chart_->setLocale(numberLocale());
    chart_->setBackgroundBrush(theme_.panel);
    chart_->setBackgroundPen(Qt::NoPen);
    chart_->setBackgroundRoundness(0);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->legend()->hide();
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    xAxis_ = makeAxis(spec_.x);
    yAxis_ = makeAxis(spec_.y);
    chart_->addAxis(xAxis_, Qt::AlignBottom);
    chart_->addAxis(yAxis_, Qt::AlignLeft);
    styleAxes();
    if (spec_.kind == ChartKind::Bars) {
        buildBars();
    } else if (spec_.kind == ChartKind::Lines) {
        buildLines();
    }
    if (chart_->series().isEmpty()) {
        buildNone();
    }
    fill();
    setRanges();
    colour();
    under_ = new PlotPainter(*this, PlotPainter::Layer::Under, chart_.get());
    over_ = new PlotPainter(*this, PlotPainter::Layer::Over, chart_.get());
    QObject::connect(chart_.get(), &QChart::plotAreaChanged, chart_.get(), [this] { arrange(); });
}

void Plot::styleAxes() {
    styleAxis(*xAxis_, theme_, spec_.x.title);
    styleAxis(*yAxis_, theme_, spec_.y.title);
    xAxis_->setGridLineVisible(spec_.x.scale == AxisScale::Log2);
}

void Plot::buildBars() {
    bars_ = spec_.isStacked ? static_cast<QAbstractBarSeries*>(new QStackedBarSeries) : new QBarSeries;
    for (const report::Series& series : spec_.series) {
        auto* set = new QBarSet(QString::fromStdString(series.title));
        barSets_.push_back(set);
        bars_->append(set);
    }
    chart_->addSeries(bars_);
    bars_->attachAxis(xAxis_);
    bars_->attachAxis(yAxis_);
}

void Plot::buildLines() {
    lines_.assign(spec_.series.size(), nullptr);
    // From below: the ideal line, measured ones with the best on top, the running median.
    for (const auto role : {SeriesRole::Ideal, SeriesRole::Data, SeriesRole::RunningMedian}) {
        for (std::size_t i = spec_.series.size(); i-- > 0;) {
            if (spec_.series[i].role != role) {
                continue;
            }
            lines_[i] = new QLineSeries;
            lines_[i]->setName(QString::fromStdString(spec_.series[i].title));
            chart_->addSeries(lines_[i]);
            lines_[i]->attachAxis(xAxis_);
            lines_[i]->attachAxis(yAxis_);
        }
    }
}

// Positions need one series, also in an empty chart and in one that the painter draws alone.
void Plot::buildNone() {
    auto* none = new QLineSeries;
    chart_->addSeries(none);
    none->attachAxis(xAxis_);
    none->attachAxis(yAxis_);
}

void Plot::fill() {
    const auto categories = static_cast<int>(spec_.x.categories.size());
    for (std::size_t i = 0; i < barSets_.size(); ++i) {
        QList<double> values(categories, 0.0);
        for (const report::Point& point : spec_.series[i].points) {
            const auto index = static_cast<int>(std::lround(point.x));
            if (index >= 0 && index < categories && isShown(point)) {
                values[index] = point.y;
            }
        }
        barSets_[i]->remove(0, barSets_[i]->count());
        barSets_[i]->append(values);
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const report::Series& series = spec_.series[i];
        if (series.samples) {
            continue;  // takeSamples()
        }
        QList<QPointF> points;
        for (std::size_t p = 0; p < series.points.size(); ++p) {
            const bool isOnWay =
                series.ways.empty() || std::ranges::find(series.ways.front(), p) != series.ways.front().end();
            if (isOnWay && isShown(series.points[p])) {
                points.append({series.points[p].x, series.points[p].y});
            }
        }
        lines_[i]->replace(points);
    }
}

void Plot::arrange() {
    if (arranging_) {
        return;
    }
    arranging_ = true;
    chart_->setMargins(over_->margins());
    chart_->layout()->activate();
    if (spec_.x.scale == AxisScale::Categories) {
        const double category = chart_->plotArea().width() / shown(true).width();
        fitCategories(*xAxis_, category);
        const double widest =
            (spec_.isStacked ? widestStack : widestBar) * static_cast<double>(barsInGroup());
        groupWidth_ = std::min(widestGroup, widest / std::max(category, 1.0));
        if (bars_ != nullptr) {
            bars_->setBarWidth(groupWidth_);
        }
    }
    under_->refresh();
    over_->refresh();
    arranging_ = false;
}

void Plot::resize(const QSizeF& size) {
    chart_->resize(size);
    arrange();
    setRanges();
}

void Plot::colour() {
    for (std::size_t i = 0; i < barSets_.size(); ++i) {
        const double opacity = opacityOf(i);
        barSets_[i]->setBrush(withOpacity(barFill(theme_, looks_[i]), opacity));
        const QColor edge = looks_[i].fill == Fill::Full ? theme_.panel : looks_[i].color;
        barSets_[i]->setPen(QPen(withOpacity(edge, opacity), 1));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        QPen pen(withOpacity(looks_[i].color, opacityOf(i)), 2);
        pen.setJoinStyle(Qt::RoundJoin);
        pen.setCapStyle(Qt::RoundCap);
        if (spec_.series[i].role == SeriesRole::Ideal) {
            pen.setWidthF(1.4);
            pen.setCapStyle(Qt::FlatCap);
            pen.setDashPattern({6 / 1.4, 4 / 1.4});
        } else if (spec_.series[i].role == SeriesRole::RunningMedian) {
            pen.setWidthF(3);
        }
        lines_[i]->setPen(pen);
    }
}

bool Plot::fits(const report::ChartSpec& spec) const {
    return spec.kind == spec_.kind && spec.isStacked == spec_.isStacked && sameAxis(spec.x, spec_.x) &&
           sameAxis(spec.y, spec_.y) && spec.warnings == spec_.warnings && spec.title == spec_.title &&
           spec.unit == spec_.unit &&
           std::equal(spec.series.begin(), spec.series.end(), spec_.series.begin(), spec_.series.end(),
                      sameShape);
}

void Plot::highlight(std::optional<std::size_t> series) {
    if (series != highlighted_) {
        highlighted_ = series;
        colour();
        over_->refresh();
    }
}

void Plot::mark(std::optional<PointRef> point) {
    if (point != marked_) {
        marked_ = point;
        over_->refresh();
    }
}

double Plot::opacityOf(std::size_t series) const {
    return !highlighted_ || *highlighted_ == series || spec_.series[series].role != SeriesRole::Data ? 1.0
                                                                                                     : faded;
}

bool Plot::isShown(const report::Point& point) const {
    return !point.missing && std::isfinite(point.x) && std::isfinite(point.y) &&
           (spec_.y.scale != AxisScale::Log2 || point.y > 0) &&
           (spec_.x.scale != AxisScale::Log2 || point.x > 0);
}

QPointF Plot::positionOf(double x, double y) const {
    return chart_->mapToPosition({x, y}, chart_->series().constFirst());
}

// Nothing stands on a logarithmic axis: what has no value there has no height.
double Plot::footOf(const PointRef& ref) const {
    double foot = spec_.y.scale == AxisScale::Log2 ? spec_.y.lowest.value_or(1) : 0;
    const double x = spec_.series[ref.series].points[ref.point].x;
    for (std::size_t below = 0; spec_.isStacked && below < ref.series; ++below) {
        for (const report::Point& point : spec_.series[below].points) {
            foot += point.x == x && isShown(point) ? point.y : 0;
        }
    }
    return foot;
}

QRectF Plot::barOf(const PointRef& ref) const {
    const report::Point& point = spec_.series[ref.series].points[ref.point];
    const double width = groupWidth_ / static_cast<double>(barsInGroup());
    const double beside = spec_.isStacked ? 0 : width * static_cast<double>(ref.series);
    const double left = point.x - groupWidth_ / 2 + beside;
    const double foot = footOf(ref);
    const double height = spec_.isStacked ? foot + point.y : point.y;
    return QRectF(positionOf(left, isShown(point) ? height : foot), positionOf(left + width, foot));
}

bool Plot::isNarrow(const PointRef& ref) const {
    constexpr double narrowest = 6;  // px; below, caps of neighbours would make one black band
    return spec_.kind != ChartKind::Lines && highlighted_ != ref.series && barOf(ref).width() < narrowest;
}

QPointF Plot::positionOf(const PointRef& ref) const {
    const report::Point& point = spec_.series[ref.series].points[ref.point];
    if (spec_.kind != ChartKind::Lines) {
        const QRectF bar = barOf(ref);
        return {bar.center().x(), spec_.isStacked ? bar.top() : positionOf(point.x, point.y).y()};
    }
    return point.missing ? missingPlace(*this, ref) : positionOf(point.x, point.y);
}

std::optional<double> Plot::valueAt(const QPointF& position) const {
    const QRectF area = chart_->plotArea();
    if (!area.contains(position)) {
        return std::nullopt;
    }
    const AxisSpan span = shown(true);
    return valueOf(span.low + span.width() * (position.x() - area.left()) / area.width(), spec_.x.scale);
}

bool Plot::isInSight(const PointRef& ref) const {
    constexpr double rounding = 0.5;  // px; a point on the border is in
    const report::Point& point = spec_.series[ref.series].points[ref.point];
    return hasPlace(point) &&
           chart_->plotArea().adjusted(-rounding, -rounding, rounding, rounding).contains(positionOf(ref));
}

void Plot::setCrosshair(std::optional<double> x) {
    if (x != crosshair_) {
        crosshair_ = x;
        under_->refresh();
        over_->refresh();
    }
}

std::optional<PointRef> Plot::pointAt(const QPointF& position) const {
    constexpr double reach = 14;  // px
    std::optional<PointRef> best;
    double nearest = reach;
    for (std::size_t s = 0; s < spec_.series.size(); ++s) {
        for (std::size_t p = 0; p < spec_.series[s].points.size(); ++p) {
            const SeriesRole role = spec_.series[s].role;
            const bool isMeasured = role == SeriesRole::Data || role == SeriesRole::Rest;
            if (!isMeasured || spec_.series[s].samples || !isInSight({s, p})) {
                continue;
            }
            if (bars_ != nullptr) {
                const double above = spec_.isStacked ? 0 : 4;  // px: a low bar is hard to hit
                if (barOf({s, p}).adjusted(0, -above, 0, 0).contains(position)) {
                    return PointRef{s, p};
                }
                continue;
            }
            const QPointF away = positionOf(PointRef{s, p}) - position;
            const double distance = std::hypot(away.x(), away.y());
            if (distance < nearest) {
                nearest = distance;
                best = PointRef{s, p};
            }
        }
    }
    return best;
}

// The part that is looked at: what the axes show of the data, zoomed or whole.

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
    if (!horizontal && spec_.kind == ChartKind::Dots) {  // differences: nothing tells their size but zero
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
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
                 axis.numbers, horizontal ? LogTicks::Doublings : LogTicks::AsNeeded);
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
        series.points.clear();
        for (const report::Sample& sample : series.samples->between(part.low, part.high, most)) {
            if (const report::Point point{.x = sample.x, .y = sample.y}; isShown(point)) {
                series.points.push_back(point);
            }
        }
        if (!series.points.empty() && series.points.back().x == series.samples->back().x) {
            series.points.back().label = series.endLabel;
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
