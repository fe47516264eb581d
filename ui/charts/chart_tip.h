// SPDX-License-Identifier: Apache-2.0
// The tips of a chart, kept inside the screen.
#pragma once

#include <QFrame>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/charts/crosshair.h"
#include "ui/theme/series_style.h"

class QLabel;

namespace dlperf::ui {

// Takes neither the keyboard nor the pointer.
class TipFrame : public QFrame {
protected:
    explicit TipFrame(QWidget* owner);
    // Shows it at its present size beside a point in global coordinates.
    void showBeside(const QPoint& at);
};

// What a point says: the series with its marker, the figures, and a finding.
class ChartTip final : public TipFrame {
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

// Every series with its marker and its value at the x of a crosshair.
class ValueTip final : public TipFrame {
    Q_OBJECT

public:
    explicit ValueTip(QWidget* owner);

    void showFor(const Plot& plot, const Crosshair& crosshair, const QPoint& at);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        SeriesStyle look;
        QString name;
        QString value;
    };
    QString title_;
    std::vector<Row> rows_;
    int more_ = 0;  // series that have no room
};

// The same in plain text, for screen readers.
[[nodiscard]] QString tipText(const report::Series& series, const report::Point& point);

}  // namespace dlperf::ui
