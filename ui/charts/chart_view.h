// SPDX-License-Identifier: Apache-2.0
// The one widget that shows a chart. What it shows is said by core (report::ChartSpec); how it looks is the
// theme's.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/report/chart_spec.h"

namespace dlperf::ui {

class ChartTip;
class Plot;
class PlotCanvas;

class ChartView final : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    // A spec that differs in its points only replaces them; cheap enough for ten times a second.
    void setSpec(const report::ChartSpec& spec);
    // Dims all other series; an empty key shows all alike.
    void highlight(const QString& seriesKey);

signals:
    // The series under the pointer or the keyboard's point; empty when none is.
    void seriesHovered(const QString& key);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void rebuild();
    void hover(const QPointF& position);
    void leave();
    void showTip(bool keyboard);
    void step(int series, int point);

    report::ChartSpec spec_;
    PlotCanvas* canvas_;
    std::unique_ptr<Plot> plot_;
    ChartTip* tip_;
};

}  // namespace dlperf::ui
