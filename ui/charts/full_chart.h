// SPDX-License-Identifier: Apache-2.0
// One chart on the whole screen, with its title and its legend. It follows the chart it was opened from;
// what is hidden or zoomed here stays here. F11 or Esc leaves.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QHBoxLayout;

namespace dlperf::ui {

class ChartView;
class LegendBar;
class Panel;

class FullChart final : public QWidget {
    Q_OBJECT

public:
    // Deletes itself when it is closed, and goes with the chart.
    explicit FullChart(ChartView& source);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeSpec();
    void showSpec();

    ChartView& source_;
    std::vector<std::string> keys_;  // of the legend: made anew only when these change
    Panel* panel_;
    LegendBar* legend_;
    ChartView* chart_;
};

// A button in the header of the chart's panel; F11 in the chart does the same.
void addFullScreenButton(QHBoxLayout& header, ChartView& chart);

}  // namespace dlperf::ui
