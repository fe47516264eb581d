// SPDX-License-Identifier: Apache-2.0
// A chart as it stands in files: light tokens, no hover state, with its title and its legend.
#pragma once

#include <QApplication>
#include <QGraphicsScene>
#include <QSize>
#include <array>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/report/chart_spec.h"

class QPainter;

namespace dlperf::ui {

class Plot;

class PaperChart {
public:
    PaperChart(const report::ChartSpec& spec, const QSize& size);
    ~PaperChart();

    void paint(QPainter& painter, const QRectF& place);

private:
    QGraphicsScene scene_;
    std::unique_ptr<Plot> plot_;
};

// Drawing needs an application object. A program without a window gets one for the time of the drawing, on
// Qt's offscreen platform whatever the environment says, so that no display is asked for.
class OffscreenApplication {
public:
    OffscreenApplication();

    // Runs the work on the application's thread and waits for it.
    [[nodiscard]] Result<void> run(const std::function<void()>& work);

private:
    // QApplication keeps references to these.
    int argc_ = 3;
    std::array<char*, 4> argv_;
    std::unique_ptr<QApplication> own_;
};

// An <svg> element of width x height px, without an XML declaration, so that it can stand in HTML as it is
// and also be a file of its own. Text stays text (Inter, else the reader's sans-serif). Needs no display.
// Call it from the main thread, or from any other thread while the window's event loop runs. An Input error
// for a size that is not 100 to 10000, a Work error where no picture can be drawn.
[[nodiscard]] Result<std::string> renderSvg(const report::ChartSpec& spec, int width, int height);

}  // namespace dlperf::ui
