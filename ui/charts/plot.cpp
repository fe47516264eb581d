// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QLogValueAxis>
#include <QtCharts/QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/charts/plot_painter.h"
#include "ui/charts/series_look.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

using report::AxisScale;
using report::ChartKind;
using report::NumberStyle;
using report::SeriesRole;

constexpr double groupWidth = 0.85;  // of the space of one category
constexpr double widestBar = 56;     // px; few bars must not become walls
constexpr double faded = 0.35;       // alpha of the others while one series is highlighted
constexpr int yTicks = 7;
constexpr double tickRoom = 26;  // px between two labels of the y axis
constexpr int xTicks = 6;

QColor withOpacity(QColor color, double opacity) {
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

QString labelFormat(NumberStyle style, int decimals) {
    QString number = QStringLiteral("%.") + QString::number(decimals) + QLatin1Char('f');
    switch (style) {
        case NumberStyle::Times:
            return number + QStringLiteral("×");
        case NumberStyle::Percent:
            return number + QStringLiteral("\u00a0%");  // Qt takes what follows the number as it stands
        case NumberStyle::Plain:
            break;
    }
    return number;
}

bool sameShape(const report::Series& a, const report::Series& b) {
    return a.key == b.key && a.title == b.title && a.framework == b.framework && a.hollow == b.hollow &&
           a.role == b.role;
}

bool sameAxis(const report::Axis& a, const report::Axis& b) {
    return a.title == b.title && a.scale == b.scale && a.numbers == b.numbers && a.categories == b.categories;
}

QAbstractAxis* makeAxis(const report::Axis& axis) {
    if (axis.scale == AxisScale::Categories) {
        auto* categories = new QBarCategoryAxis;
        for (const std::string& name : axis.categories) {
            categories->append(QString::fromStdString(name));
        }
        return categories;
    }
    if (axis.scale == AxisScale::Log2) {
        auto* logarithmic = new QLogValueAxis;
        logarithmic->setBase(2);
        return logarithmic;
    }
    return new QValueAxis;
}

void setRange(QAbstractAxis* axis, const AxisRange& range, NumberStyle numbers) {
    if (auto* value = qobject_cast<QValueAxis*>(axis)) {
        value->setTickType(QValueAxis::TicksDynamic);
        value->setTickAnchor(std::ceil(range.low / range.step - 1e-9) * range.step);
        value->setTickInterval(range.step);
        value->setRange(range.low, range.high);
        value->setLabelFormat(labelFormat(numbers, range.decimals()));
    } else if (auto* logarithmic = qobject_cast<QLogValueAxis*>(axis)) {
        logarithmic->setRange(range.low, range.high);
        // 0.5 needs one decimal, 0.25 two, …
        const int halvings = std::max(0, static_cast<int>(std::floor(-std::log2(range.low))));
        logarithmic->setLabelFormat(labelFormat(numbers, halvings));
    }
}

}  // namespace

Plot::Plot(QGraphicsScene& scene, report::ChartSpec spec, const Theme& theme, PlotDress dress)
    : spec_(std::move(spec)),
      theme_(theme),
      dress_(dress),
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
    dressAxes();
    if (spec_.kind == ChartKind::Bars) {
        buildBars();
    } else {
        buildLines();
    }
    fill();
    setRanges();
    colour();
    under_ = new PlotPainter(*this, PlotPainter::Layer::Under, chart_.get());
    over_ = new PlotPainter(*this, PlotPainter::Layer::Over, chart_.get());
    QObject::connect(chart_.get(), &QChart::plotAreaChanged, chart_.get(), [this] { arrange(); });
}

void Plot::dressAxes() {
    for (QAbstractAxis* axis : {xAxis_, yAxis_}) {
        axis->setLabelsFont(textFont(size::caption));
        axis->setLabelsColor(theme_.text2);
        axis->setTitleFont(textFont(size::caption));
        axis->setTitleBrush(theme_.text3);
        axis->setLineVisible(false);  // its ticks would come along; the painter draws the line
        axis->setGridLinePen(QPen(theme_.grid, 1));
        axis->setMinorGridLineVisible(false);
        axis->setTruncateLabels(true);
    }
    xAxis_->setTitleText(QString::fromStdString(spec_.x.title));
    yAxis_->setTitleText(QString::fromStdString(spec_.y.title));
    const bool bars = spec_.kind == ChartKind::Bars;
    xAxis_->setGridLineVisible(!bars && spec_.x.scale == AxisScale::Log2);
}

void Plot::buildBars() {
    bars_ = new QBarSeries;
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
    // The ideal line lies below the measured ones, the running median above them; the first series, the best,
    // on top of its like.
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
    if (spec_.series.empty()) {  // positions need one series, also in an empty chart
        auto* none = new QLineSeries;
        chart_->addSeries(none);
        none->attachAxis(xAxis_);
        none->attachAxis(yAxis_);
    }
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
        QList<QPointF> points;
        for (const report::Point& point : spec_.series[i].points) {
            if (isShown(point)) {
                points.append({point.x, point.y});
            }
        }
        lines_[i]->replace(points);
    }
}

AxisRange Plot::rangeOf(const report::Axis& axis, bool horizontal) const {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const report::Series& series : spec_.series) {
        for (const report::Point& point : series.points) {
            if (isShown(point)) {
                const double least = horizontal ? point.x : point.low.value_or(point.y);
                const double most = horizontal ? point.x : point.high.value_or(point.y);
                low = std::min(low, least);
                high = std::max(high, most);
            }
        }
    }
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
    const bool bars = spec_.kind == ChartKind::Bars;
    low = axis.lowest ? *axis.lowest : low;
    high = axis.highest ? *axis.highest : high;
    if (horizontal) {
        return exactRange(low, high, xTicks);
    }
    const double height = chart_->plotArea().height();
    const int fitting = height > 0 ? static_cast<int>(height / tickRoom) : yTicks;
    return roundRange(low, high, bars, std::clamp(fitting, 2, yTicks));
}

void Plot::setRanges() {
    if (spec_.x.scale != AxisScale::Categories) {
        setRange(xAxis_, rangeOf(spec_.x, true), spec_.x.numbers);
    }
    setRange(yAxis_, rangeOf(spec_.y, false), spec_.y.numbers);
}

void Plot::arrange() {
    if (arranging_) {
        return;
    }
    arranging_ = true;
    chart_->setMargins(over_->margins());
    chart_->layout()->activate();
    if (bars_ != nullptr && !barSets_.empty() && !spec_.x.categories.empty()) {
        const double category = chart_->plotArea().width() / static_cast<double>(spec_.x.categories.size());
        const double widest = widestBar * static_cast<double>(barSets_.size());
        bars_->setBarWidth(std::min(groupWidth, widest / std::max(category, 1.0)));
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
        const QColor edge = looks_[i].hollow ? looks_[i].color : theme_.panel;
        barSets_[i]->setPen(QPen(withOpacity(edge, opacity), 1));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        QPen pen(withOpacity(looks_[i].color, opacityOf(i)), isLive(i) ? 1.5 : 2);
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
    return spec.kind == spec_.kind && sameAxis(spec.x, spec_.x) && sameAxis(spec.y, spec_.y) &&
           spec.warnings == spec_.warnings && spec.title == spec_.title && spec.unit == spec_.unit &&
           std::equal(spec.series.begin(), spec.series.end(), spec_.series.begin(), spec_.series.end(),
                      sameShape);
}

void Plot::replace(report::ChartSpec spec) {
    spec_ = std::move(spec);
    marked_.reset();
    fill();
    setRanges();
    arrange();
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
    return std::isfinite(point.x) && std::isfinite(point.y) &&
           (spec_.y.scale != AxisScale::Log2 || point.y > 0) &&
           (spec_.x.scale != AxisScale::Log2 || point.x > 0);
}

QPointF Plot::positionOf(double x, double y) const {
    return chart_->mapToPosition({x, y}, chart_->series().constFirst());
}

QRectF Plot::barOf(const PointRef& ref) const {
    const report::Point& point = spec_.series[ref.series].points[ref.point];
    const double width = bars_->barWidth() / static_cast<double>(barSets_.size());
    const double left = point.x - bars_->barWidth() / 2 + width * static_cast<double>(ref.series);
    return QRectF(positionOf(left, point.y), positionOf(left + width, 0));
}

QPointF Plot::positionOf(const PointRef& ref) const {
    const report::Point& point = spec_.series[ref.series].points[ref.point];
    if (bars_ != nullptr) {
        const QRectF bar = barOf(ref);
        return {bar.center().x(), bar.top()};
    }
    return positionOf(point.x, point.y);
}

std::optional<PointRef> Plot::pointAt(const QPointF& position) const {
    constexpr double reach = 14;  // px
    std::optional<PointRef> best;
    double nearest = reach;
    for (std::size_t s = 0; s < spec_.series.size(); ++s) {
        for (std::size_t p = 0; p < spec_.series[s].points.size(); ++p) {
            if (!isShown(spec_.series[s].points[p]) || spec_.series[s].role == SeriesRole::Ideal) {
                continue;
            }
            if (bars_ != nullptr) {
                if (barOf({s, p}).adjusted(0, -4, 0, 0).contains(position)) {
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

}  // namespace dlperf::ui
