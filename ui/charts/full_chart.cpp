// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/full_chart.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

FullChart::FullChart(ChartView& source)
    : QWidget(&source, Qt::Window),
      source_(source),
      panel_(new Panel),
      legend_(new LegendBar),
      chart_(new ChartView) {
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(panel_);
    QToolButton* close = makeIconButton(QStringLiteral("close"), tr("Leave full screen (Esc)"));
    connect(close, &QToolButton::clicked, this, &QWidget::close);
    panel_->addHeader({})->addWidget(close);
    auto* legendRoom = new QVBoxLayout;
    legendRoom->setContentsMargins(6, 5, 6, 5);
    legendRoom->addWidget(legend_);
    panel_->body()->addLayout(legendRoom);
    panel_->body()->addWidget(chart_, 1);
    connect(&source_, &ChartView::specChanged, this, &FullChart::takeSpec);
    connect(legend_, &LegendBar::hiddenChanged, this, &FullChart::showSpec);
    connect(legend_, &LegendBar::seriesHovered, chart_, &ChartView::highlight);
    connect(chart_, &ChartView::seriesHovered, legend_, &LegendBar::highlight);
    connect(chart_, &ChartView::fullScreenRequested, this, &QWidget::close);
    takeSpec();
    chart_->setFocus(Qt::OtherFocusReason);
}

void FullChart::takeSpec() {
    const report::ChartSpec& spec = source_.spec();
    setWindowTitle(QString::fromStdString(spec.title));
    panel_->setTitle(QString::fromStdString(spec.title), QString::fromStdString(spec.unit));
    std::vector<std::string> keys;
    for (const report::Series& series : spec.series) {
        keys.push_back(series.key);
    }
    if (keys != keys_) {
        keys_ = std::move(keys);
        legend_->setSeries(spec.series);
    }
    showSpec();
}

void FullChart::showSpec() {
    report::ChartSpec shown = source_.spec();
    const auto hidden = legend_->hidden();
    std::erase_if(shown.series, [&](const report::Series& series) { return hidden.contains(series.key); });
    chart_->setSpec(shown);
}

void FullChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_F11) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void addFullScreenButton(QHBoxLayout& header, ChartView& chart) {
    QToolButton* button = makeIconButton(QStringLiteral("fullscreen"), FullChart::tr("Full screen (F11)"));
    header.addWidget(button);
    const auto open = [&chart] { (new FullChart(chart))->showFullScreen(); };
    QObject::connect(button, &QToolButton::clicked, &chart, open);
    QObject::connect(&chart, &ChartView::fullScreenRequested, &chart, open);
}

}  // namespace dlperf::ui
