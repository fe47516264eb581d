// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_tip.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_canvas.h"

namespace dlperf::ui {

ChartView::ChartView(QWidget* parent)
    : QWidget(parent), canvas_(new PlotCanvas(this)), tip_(new ChartTip(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(canvas_);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    connect(canvas_, &PlotCanvas::resized, this, [this](const QSize& size) {
        if (plot_) {
            plot_->resize(size);
        }
    });
    connect(canvas_, &PlotCanvas::pointed, this, &ChartView::hover);
    connect(canvas_, &PlotCanvas::left, this, &ChartView::leave);
}

ChartView::~ChartView() = default;

void ChartView::setSpec(const report::ChartSpec& spec) {
    spec_ = spec;
    setAccessibleName(QString::fromStdString(spec.title));
    if (plot_ && plot_->fits(spec)) {
        tip_->hide();
        plot_->replace(spec);
        return;
    }
    rebuild();
}

void ChartView::rebuild() {
    tip_->hide();
    plot_.reset();
    plot_ = std::make_unique<Plot>(canvas_->plotScene(), spec_, currentTheme());
    plot_->resize(canvas_->viewport()->size());
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

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && plot_) {
        rebuild();
    }
}

void ChartView::hover(const QPointF& position) {
    if (!plot_) {
        return;
    }
    const auto point = plot_->pointAt(position);
    if (point == plot_->marked()) {
        return;
    }
    plot_->mark(point);
    if (!point) {
        leave();
        return;
    }
    showTip(false);
}

void ChartView::leave() {
    tip_->hide();
    if (plot_) {
        plot_->mark({});
        plot_->highlight({});
        emit seriesHovered({});
    }
}

void ChartView::showTip(bool keyboard) {
    const PointRef ref = *plot_->marked();
    const report::Series& series = spec_.series[ref.series];
    const report::Point& point = series.points[ref.point];
    plot_->highlight(ref.series);
    emit seriesHovered(QString::fromStdString(series.key));
    setAccessibleDescription(tipText(series, point));
    const QPoint at = canvas_->viewport()->mapToGlobal(canvas_->mapFromScene(plot_->positionOf(ref)));
    if (keyboard || !point.tip.empty() || !point.finding.empty()) {
        tip_->showFor(series, point, plot_->looks()[ref.series], plot_->theme(), at);
    }
}

// Moves the keyboard's point: along its series, or to the next series that has a point there.
void ChartView::step(int series, int point) {
    const auto count = static_cast<int>(spec_.series.size());
    if (count == 0) {
        return;
    }
    PointRef next = plot_->marked().value_or(PointRef{});
    if (plot_->marked()) {
        next.series = static_cast<std::size_t>((static_cast<int>(next.series) + series + count) % count);
        const auto points = static_cast<int>(spec_.series[next.series].points.size());
        next.point = static_cast<std::size_t>(
            std::clamp(static_cast<int>(next.point) + point, 0, std::max(points - 1, 0)));
    }
    if (next.point < spec_.series[next.series].points.size() &&
        plot_->isShown(spec_.series[next.series].points[next.point])) {
        plot_->mark(next);
        showTip(true);
    }
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    if (!plot_) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Right:
            step(0, 1);
            break;
        case Qt::Key_Left:
            step(0, -1);
            break;
        case Qt::Key_Up:
            step(-1, 0);
            break;
        case Qt::Key_Down:
            step(1, 0);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            step(0, 0);
            break;
        case Qt::Key_Escape:
            if (tip_->isVisible()) {
                leave();
                break;
            }
            [[fallthrough]];
        default:
            QWidget::keyPressEvent(event);
    }
}

void ChartView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ChartView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
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
