// SPDX-License-Identifier: Apache-2.0
// The tips of a chart, kept inside the screen.
#pragma once

#include <QFrame>
#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/charts/plot.h"
#include "ui/theme/series_style.h"

class QLabel;

namespace dlperf::ui {

struct CrosshairRow {
    std::size_t series = 0;
    QString value;       // as tables write it; – where the series has none
    QString topology{};  // where there are several at this x
};

struct Crosshair {
    double x = 0;
    QString title;  // "4n8g", "Iteration 84"
    std::vector<CrosshairRow> rows;
};

// At the x nearest to a position in the scene that some series has a point at; nothing outside the plot.
[[nodiscard]] std::optional<Crosshair> crosshairNear(const Plot& plot, const QPointF& position);
[[nodiscard]] Crosshair crosshairAt(const Plot& plot, double x);

[[nodiscard]] QString crosshairText(const Plot& plot, const Crosshair& crosshair);

class TipFrame : public QFrame {
protected:
    explicit TipFrame(QWidget* owner);
    void showBeside(const QPoint& at);
};

// What a point says: the series with its marker, the figures, and a finding.
class ChartTip final : public TipFrame {
    Q_OBJECT

public:
    explicit ChartTip(QWidget* owner);

    void showFor(const report::Series& series, const report::Point& point, const SeriesStyle& look,
                 const Theme& theme, const QPoint& at);

private:
    QLabel* sign_;
    QLabel* title_;
    QLabel* body_;
    QLabel* finding_;
};

class ValueTip final : public TipFrame {
    Q_OBJECT

public:
    explicit ValueTip(QWidget* owner) : TipFrame(owner) { setAttribute(Qt::WA_TranslucentBackground); }

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

[[nodiscard]] QString tipText(const report::Series& series, const report::Point& point);

}  // namespace dlperf::ui
