// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_tip.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_canvas.h"
#include "ui/theme/localized.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr double keyNotches = 2;  // of a wheel, for one press of + or -
constexpr double keyPan = 0.1;    // of what is shown
constexpr int resetMargin = 8;    // px

// How its figures are written may change while it stays zoomed.
bool isSameScale(const report::Axis& a, const report::Axis& b) {
    return a.title == b.title && a.scale == b.scale && a.categories == b.categories;
}

}  // namespace

ChartView::ChartView(QWidget* parent)
    : QWidget(parent),
      canvas_(new PlotCanvas(this)),
      tip_(new ChartTip(this)),
      values_(new ValueTip(this)),
      reset_(new QPushButton(tr("Reset zoom"), this)) {
    QVBoxLayout* layout = makeColumn(this, {2, 2, 2, 2});
    layout->addWidget(canvas_);
    QSizePolicy policy = canvas_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    canvas_->setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 130);
    reset_->setProperty("size", "small");
    reset_->setToolTip(tr("Show all again (0, or a double click)"));
    reset_->setFocusPolicy(Qt::NoFocus);  // the key 0 does it
    reset_->hide();
    connect(reset_, &QPushButton::clicked, this, &ChartView::resetZoom);
    connectCanvas();
}

ChartView::~ChartView() = default;

void ChartView::connectCanvas() {
    connect(canvas_, &PlotCanvas::resized, this, [this](const QSize& size) {
        if (plot_) {
            plot_->resize(size);
        }
    });
    connect(canvas_, &PlotCanvas::pointed, this, &ChartView::hover);
    connect(canvas_, &PlotCanvas::left, this, &ChartView::leave);
    connect(canvas_, &PlotCanvas::doubleClicked, this, &ChartView::resetZoom);
    connect(canvas_, &PlotCanvas::pressed, this, [this] {
        leave();
        setFocus(Qt::MouseFocusReason);
        panStart_ = plot_ ? std::make_unique<PlotView>(plot_->view()) : nullptr;
    });
    connect(canvas_, &PlotCanvas::panned, this, [this](const QPointF& distance) {
        if (plot_ && panStart_) {
            pan(*plot_, *panStart_, distance);
        }
    });
    connect(canvas_, &PlotCanvas::wheeled, this, [this](const QPointF& position, double notches) {
        if (plot_) {
            zoomAt(*plot_, position, notches);
            zoomChanged();
            hover(position);
        }
    });
    connect(canvas_, &PlotCanvas::selected, this, [this](const QRectF& where) {
        if (plot_) {
            zoomTo(*plot_, where);
            zoomChanged();
        }
    });
    canvas_->setTakesWheel([this](bool in) { return plot_ && (in || isZoomed()); });
}

void ChartView::setSpec(const report::ChartSpec& spec) {
    whole_ = report::translated(spec, windowTranslation());
    showSeries();
}

void ChartView::hideSeries(const std::set<std::string>& keys) {
    if (keys != hidden_) {
        hidden_ = keys;
        showSeries();
    }
}

void ChartView::showSeries() {
    report::ChartSpec spec = whole_;
    std::erase_if(spec.series, [this](const report::Series& series) { return hidden_.contains(series.key); });
    const bool sameChart = plot_ && spec.kind == spec_.kind && spec.title == spec_.title &&
                           isSameScale(spec.x, spec_.x) && isSameScale(spec.y, spec_.y);
    spec_ = std::move(spec);
    setAccessibleName(QString::fromStdString(spec_.title));
    if (plot_ && plot_->fits(spec_)) {
        replacePoints();
    } else {
        rebuild(sameChart ? plot_->view() : PlotView{});
    }
    // Axes without a series say nothing, and an ideal line alone misleads.
    canvas_->setVisible(std::ranges::any_of(
        spec_.series, [](const report::Series& series) { return series.role == report::SeriesRole::Data; }));
    zoomChanged();
    emit specChanged();
}

// What was pointed at is pointed at again: a tip that went away with every new point could not be read.
void ChartView::replacePoints() {
    const auto marked = plot_->marked();
    const bool values = values_->isVisible();
    const double x = marked ? plot_->spec().series[marked->series].points[marked->point].x : 0;
    plot_->setCrosshair({});
    plot_->replace(spec_);
    if (pointer_) {
        hover(*pointer_);
    } else if (marked && (values || tip_->isVisible())) {
        markNear(marked->series, x);
        if (!plot_->marked()) {
            hideTips();
        } else if (values) {
            showValues(x, plot_->positionOf(*plot_->marked()).y());
        } else {
            showTip(true);
        }
    } else {
        hideTips();
    }
}

void ChartView::markNear(std::size_t series, double x) {
    const auto& points = plot_->spec().series[series].points;
    const auto nearest = std::ranges::min_element(
        points, {}, [x](const report::Point& point) { return std::abs(point.x - x); });
    if (nearest != points.end()) {
        plot_->mark(PointRef{series, static_cast<std::size_t>(nearest - points.begin())});
    }
}

void ChartView::rebuild(const PlotView& view) {
    const PlotView kept = view;  // it may be the plot's own
    hideTips();
    plot_.reset();
    look_ = currentLook();
    plot_ = std::make_unique<Plot>(canvas_->plotScene(), spec_, *look_.theme);
    plot_->resize(canvas_->viewport()->size());
    plot_->setView(kept);
}

void ChartView::highlight(const QString& seriesKey) {
    if (!plot_) {
        return;
    }
    std::optional<std::size_t> index;
    for (std::size_t i = 0; i < spec_.series.size(); ++i) {
        if (!seriesKey.isEmpty() && spec_.series[i].key == seriesKey.toStdString()) {
            index = i;
        }
    }
    plot_->highlight(index);
}

bool ChartView::isZoomed() const {
    return plot_ && plot_->view() != PlotView{};
}

report::ChartPart ChartView::part() const {
    const auto range = [](const std::optional<AxisSpan>& span, report::AxisScale scale) {
        if (!span) {
            return std::optional<report::ChartRange>();
        }
        const double border = scale == report::AxisScale::Categories ? 0.5 : 0;
        return std::optional(
            report::ChartRange{valueOf(span->low + border, scale), valueOf(span->high - border, scale)});
    };
    const PlotView view = plot_ ? plot_->view() : PlotView{};
    return {range(view.x, spec_.x.scale), range(view.y, spec_.y.scale)};
}

void ChartView::resetZoom() {
    if (plot_) {
        plot_->setView({});
        zoomChanged();
    }
}

void ChartView::zoomChanged() {
    reset_->setVisible(isZoomed());
    reset_->adjustSize();
    reset_->move(width() - reset_->width() - resetMargin, resetMargin);
    reset_->raise();
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    zoomChanged();
}

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible()) {
        QMetaObject::invokeMethod(this, &ChartView::followTheme, Qt::QueuedConnection);
    }
    // A menu or a dialog takes the pointer without saying so, and a tip is a window of its own.
    if (event->type() == QEvent::ActivationChange && !isActiveWindow()) {
        leave();
    }
}

void ChartView::showEvent(QShowEvent* event) {
    followTheme();
    QWidget::showEvent(event);
}

void ChartView::hideEvent(QHideEvent* event) {
    leave();
    QWidget::hideEvent(event);
}

// Once a change and only where it is seen: a style sheet changes a palette several times.
void ChartView::followTheme() {
    if (plot_ && isVisible() && look_ != currentLook()) {
        rebuild(plot_->view());
    }
}

// Near a point it is about that point, elsewhere about all series at the nearest x.
void ChartView::hover(const QPointF& position) {
    if (!plot_) {
        return;
    }
    pointer_ = position;
    if (const auto point = plot_->pointAt(position)) {
        if (point != plot_->marked()) {
            plot_->mark(point);
            showTip(false);
        }
        return;
    }
    if (plot_->marked()) {
        forget();
    }
    const auto crosshair = crosshairNear(*plot_, position);
    if (!crosshair) {
        forget();
        return;
    }
    plot_->setCrosshair(crosshair->x);
    values_->showFor(*plot_, *crosshair, canvas_->viewport()->mapToGlobal(canvas_->mapFromScene(position)));
}

void ChartView::hideTips() {
    tip_->hide();
    values_->hide();
}

void ChartView::leave() {
    pointer_.reset();
    forget();
}

void ChartView::forget() {
    hideTips();
    if (plot_) {
        plot_->mark({});
        plot_->setCrosshair({});
        plot_->highlight({});
        emit seriesHovered({});
    }
}

void ChartView::showTip(bool keyboard) {
    values_->hide();
    const PointRef ref = *plot_->marked();
    const report::Series& series = plot_->spec().series[ref.series];
    const report::Point& point = series.points[ref.point];
    plot_->highlight(ref.series);
    plot_->setCrosshair(point.x);
    emit seriesHovered(QString::fromStdString(series.key));
    setAccessibleDescription(tipText(series, point));
    if (!keyboard && point.tip.empty() && point.finding.empty()) {
        tip_->hide();
        return;
    }
    if (point.tip.empty() && point.finding.empty()) {
        const QPointF at = plot_->positionOf(ref);
        showValues(point.x, at.y());
        return;
    }
    const QPoint at = canvas_->viewport()->mapToGlobal(canvas_->mapFromScene(plot_->positionOf(ref)));
    tip_->showFor(series, point, plot_->looks()[ref.series], plot_->theme(), at);
}

void ChartView::showValues(double x, double y) {
    tip_->hide();
    const Crosshair crosshair = crosshairAt(*plot_, x);
    plot_->setCrosshair(x);
    setAccessibleDescription(crosshairText(*plot_, crosshair));
    const QPointF at(plot_->positionOf(*plot_->marked()).x(), y);
    values_->showFor(*plot_, crosshair, canvas_->viewport()->mapToGlobal(canvas_->mapFromScene(at)));
}

QString ChartView::shownValues() const {
    if (plot_ && values_->isVisible() && plot_->crosshair()) {
        return crosshairText(*plot_, crosshairAt(*plot_, *plot_->crosshair()));
    }
    if (plot_ && tip_->isVisible() && plot_->marked()) {
        const PointRef ref = *plot_->marked();
        const report::Series& series = plot_->spec().series[ref.series];
        return tipText(series, series.points[ref.point]);
    }
    return {};
}

// Moves the keyboard's point: along its series, or to the next series that has a point there.
void ChartView::step(int series, int point) {
    pointer_.reset();  // the keyboard has the word
    const std::vector<report::Series>& all = plot_->spec().series;
    const auto count = static_cast<int>(all.size());
    if (count == 0) {
        return;
    }
    PointRef next = plot_->marked().value_or(PointRef{});
    if (plot_->marked()) {
        next.series = static_cast<std::size_t>((static_cast<int>(next.series) + series + count) % count);
        const auto points = static_cast<int>(all[next.series].points.size());
        next.point = static_cast<std::size_t>(
            std::clamp(static_cast<int>(next.point) + point, 0, std::max(points - 1, 0)));
    }
    if (next.point < all[next.series].points.size() && plot_->hasPlace(all[next.series].points[next.point])) {
        const bool samples = all[next.series].samples != nullptr;
        if (!samples) {  // of many samples only those in sight are points
            reveal(*plot_, next);
        }
        plot_->mark(next);
        showTip(true);
    }
}

// Return goes between what is said about a point and all values at its x.
void ChartView::toggleValues() {
    if (!plot_->marked() || values_->isVisible()) {
        step(0, 0);
        return;
    }
    const PointRef ref = *plot_->marked();
    showValues(plot_->spec().series[ref.series].points[ref.point].x, plot_->positionOf(ref).y());
}

void ChartView::zoom(double notches) {
    const QPointF at = plot_->marked() && plot_->isInSight(*plot_->marked())
                           ? plot_->positionOf(*plot_->marked())
                           : plot_->chart().plotArea().center();
    leave();
    zoomAt(*plot_, at, notches);
    zoomChanged();
}

bool ChartView::zoomKey(const QKeyEvent& event) {
    const int key = event.key();
    if (key == Qt::Key_Plus || key == Qt::Key_Equal) {  // = where + is above it
        zoom(keyNotches);
    } else if (key == Qt::Key_Minus) {
        zoom(-keyNotches);
    } else if (key == Qt::Key_0) {
        leave();
        resetZoom();
    } else {
        return false;
    }
    return true;
}

bool ChartView::panKey(const QKeyEvent& event) {
    if (!event.modifiers().testFlag(Qt::ShiftModifier) || !isZoomed()) {
        return false;
    }
    const int key = event.key();
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    if (!sideways && key != Qt::Key_Up && key != Qt::Key_Down) {
        return false;
    }
    leave();
    const double by = key == Qt::Key_Right || key == Qt::Key_Up ? keyPan : -keyPan;
    panBy(*plot_, sideways ? by : 0, sideways ? 0 : by);
    return true;
}

bool ChartView::pointKey(const QKeyEvent& event) {
    const int key = event.key();
    if (key == Qt::Key_Right || key == Qt::Key_Left) {
        step(0, key == Qt::Key_Right ? 1 : -1);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        step(key == Qt::Key_Down ? 1 : -1, 0);
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        toggleValues();
    } else {
        return false;
    }
    return true;
}

bool ChartView::otherKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Copy) && !shownValues().isEmpty()) {
        copyText(shownValues());
        return true;
    }
    switch (event.key()) {
        case Qt::Key_Space:
            canvas_->setPanning(true);
            return true;
        case Qt::Key_F11:
            emit fullScreenRequested();
            return true;
        case Qt::Key_Escape:
            if (tip_->isVisible() || values_->isVisible()) {
                leave();
                return true;
            }
            return false;
        default:
            return false;
    }
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    if (!plot_ || !(zoomKey(*event) || panKey(*event) || pointKey(*event) || otherKey(*event))) {
        QWidget::keyPressEvent(event);
    }
}

void ChartView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        canvas_->setPanning(false);
    }
    QWidget::keyReleaseEvent(event);
}

void ChartView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ChartView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    canvas_->setPanning(false);
    leave();
    update();
}

void ChartView::paintEvent(QPaintEvent*) {
    if (hasFocus()) {
        QPainter painter(this);
        painter.setPen(QPen(currentTheme().focus, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

}  // namespace dlperf::ui
