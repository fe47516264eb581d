// SPDX-License-Identifier: Apache-2.0
// A chart as it stands in files: light tokens, no hover state, with its title and its legend.
#pragma once

#include <QGraphicsScene>
#include <QSize>
#include <memory>

#include "core/report/chart_spec.h"

class QPainter;

namespace dlperf::ui {

class Plot;

class PaperChart {
public:
    PaperChart(const report::ChartSpec& spec, const QSize& size);
    ~PaperChart();

    // Scaled into the place; text stays text.
    void paint(QPainter& painter, const QRectF& place);

private:
    QGraphicsScene scene_;
    std::unique_ptr<Plot> plot_;
};

}  // namespace dlperf::ui
