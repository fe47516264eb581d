// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/paper_chart.h"

#include <QPainter>

#include "ui/charts/plot.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {

PaperChart::PaperChart(const report::ChartSpec& spec, const QSize& size) {
    const FullSizeFonts fonts;
    plot_ = std::make_unique<Plot>(scene_, spec, lightTheme(), PlotDress{.title = true, .legend = true});
    plot_->resize(size);
    scene_.setSceneRect(QRectF(QPointF(0, 0), size));
}

PaperChart::~PaperChart() = default;

void PaperChart::paint(QPainter& painter, const QRectF& place) {
    const FullSizeFonts fonts;
    scene_.render(&painter, place, scene_.sceneRect(), Qt::IgnoreAspectRatio);
}

}  // namespace dlperf::ui
