// SPDX-License-Identifier: Apache-2.0
// What a point of a chart says: the series with its marker, the figures, and a finding. Kept inside the
// screen.
#pragma once

#include <QFrame>

#include "core/report/chart_spec.h"
#include "ui/theme/series_style.h"

class QLabel;

namespace dlperf::ui {

class ChartTip final : public QFrame {
    Q_OBJECT

public:
    explicit ChartTip(QWidget* owner);

    // `at` is the point in global coordinates.
    void showFor(const report::Series& series, const report::Point& point, const SeriesStyle& look,
                 const Theme& theme, const QPoint& at);

private:
    QLabel* sign_;
    QLabel* title_;
    QLabel* body_;
    QLabel* finding_;
};

// Shows a tip of its present size beside a point in global coordinates, inside the screen.
void placeBeside(QWidget& tip, const QPoint& at);

// The same in plain text, for screen readers.
[[nodiscard]] QString tipText(const report::Series& series, const report::Point& point);

}  // namespace dlperf::ui
