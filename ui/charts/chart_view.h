// SPDX-License-Identifier: Apache-2.0
// The one widget that shows a chart. What it shows is said by core (report::ChartSpec); how it looks is the
// theme's.
//
// Mouse: the wheel zooms at the pointer, a rectangle zooms to what it covers, the middle button (or the left
// one with Shift or Space) pans, a double click shows all again. Keys: + - 0, arrows from point to point,
// Shift + arrows pan, Return all values at the point's x, Ctrl+C copies what the tip says, F11 full screen.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/report/chart_spec.h"
#include "ui/theme/theme.h"

class QPushButton;

namespace dlperf::ui {

class ChartTip;
class Plot;
class PlotCanvas;
class ValueTip;
struct PlotView;

class ChartView final : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    // Cheap where only points differ. The zoom stays as long as title and axes do.
    void setSpec(const report::ChartSpec& spec);
    // What is shown, and what would be with no series hidden.
    const report::ChartSpec& spec() const { return spec_; }
    const report::ChartSpec& whole() const { return whole_; }
    void hideSeries(const std::set<std::string>& keys);
    // Dims all other series; an empty key shows all alike.
    void highlight(const QString& seriesKey);

    [[nodiscard]] bool isZoomed() const;
    void resetZoom();
    [[nodiscard]] report::ChartPart part() const;
    [[nodiscard]] QString shownValues() const;

signals:
    // The series under the pointer or the keyboard's point; empty when none is.
    void seriesHovered(const QString& key);
    void specChanged();
    void fullScreenRequested();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void connectCanvas();
    void showSeries();
    void rebuild(const PlotView& view);
    void followTheme();
    void hover(const QPointF& position);
    void leave();
    void forget();
    void showTip(bool keyboard);
    void showValues(double x, double y);
    void hideTips();
    void replacePoints();
    void markNear(std::size_t series, double x);
    void step(int series, int point);
    void toggleValues();
    void zoom(double notches);
    void zoomChanged();
    bool zoomKey(const QKeyEvent& event);
    bool panKey(const QKeyEvent& event);
    bool pointKey(const QKeyEvent& event);
    bool otherKey(const QKeyEvent& event);

    report::ChartSpec whole_;
    std::set<std::string> hidden_;  // series' keys
    report::ChartSpec spec_;        // what is left
    PlotCanvas* canvas_;
    std::unique_ptr<Plot> plot_;
    Look look_;  // that the plot was built in
    std::unique_ptr<PlotView> panStart_;
    std::optional<QPointF> pointer_;  // where it rests over the chart
    ChartTip* tip_;
    ValueTip* values_;
    QPushButton* reset_;
};

}  // namespace dlperf::ui
