// SPDX-License-Identifier: Apache-2.0
// What the nodes do while the selected run goes on, under its live chart: one quantity at a time.
#pragma once

#include <vector>

#include "ui/session/live_run.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

class ChartView;
class LegendBar;
class Segments;

class TelemetryPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TelemetryPanel(QWidget* parent = nullptr);

    // Hides itself while there is nothing to show.
    void showTelemetry(const std::vector<LiveTelemetry>& telemetry);

private:
    void showChosen();

    std::vector<LiveTelemetry> telemetry_;
    Panel* panel_;
    LegendBar* legend_;  // its own: all nodes tell of themselves, though their logs be empty
    Segments* choice_;
    ChartView* chart_;
};

}  // namespace dlperf::ui
