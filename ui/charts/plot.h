// SPDX-License-Identifier: Apache-2.0
// One chart in a graphics scene: Qt Charts draws axes, grid, lines and bars; what it lacks (whiskers,
// markers, rings, labels, regions, warnings) is painted over it. The same object serves the screen and files.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QtCharts/QChart>
#include <memory>
#include <optional>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/charts/axis_range.h"
#include "ui/theme/series_style.h"

class QAbstractAxis;
class QBarSeries;
class QBarSet;
class QGraphicsScene;
class QLineSeries;
class QXYSeries;

namespace dlperf::ui {

class PlotPainter;

// A file stands alone: it brings its title and its legend. In the window panels have them.
struct PlotDress {
    bool title = false;
    bool legend = false;
};

struct PointRef {
    std::size_t series = 0;
    std::size_t point = 0;
    friend bool operator==(const PointRef&, const PointRef&) = default;
};

class Plot {
public:
    Plot(QGraphicsScene& scene, report::ChartSpec spec, const Theme& theme, PlotDress dress = {});
    ~Plot();
    Plot(const Plot&) = delete;
    Plot& operator=(const Plot&) = delete;

    void resize(const QSizeF& size);

    // True when the other spec differs in its points only, so that replacing them is enough.
    [[nodiscard]] bool fits(const report::ChartSpec& spec) const;
    void replace(report::ChartSpec spec);

    // The others at 35 %; nothing: all full.
    void highlight(std::optional<std::size_t> series);
    void mark(std::optional<PointRef> point);
    const std::optional<PointRef>& marked() const { return marked_; }

    // The point under or near a position in the scene.
    [[nodiscard]] std::optional<PointRef> pointAt(const QPointF& position) const;
    // Where a point is drawn; for bars the middle of the bar's top.
    [[nodiscard]] QPointF positionOf(const PointRef& point) const;
    [[nodiscard]] QPointF positionOf(double x, double y) const;
    [[nodiscard]] QRectF barOf(const PointRef& point) const;
    // False for values that the axis cannot show (nothing, or not above zero on a log axis).
    [[nodiscard]] bool isShown(const report::Point& point) const;
    // The brightness of a series: full, or less while another one is highlighted.
    [[nodiscard]] double opacityOf(std::size_t series) const;
    [[nodiscard]] bool isLive(std::size_t series) const { return spec_.series[series].framework.empty(); }

    const report::ChartSpec& spec() const { return spec_; }
    const Theme& theme() const { return theme_; }
    const PlotDress& dress() const { return dress_; }
    const std::vector<SeriesStyle>& looks() const { return looks_; }
    QChart& chart() const { return *chart_; }

private:
    void build();
    void buildBars();
    void buildLines();
    void dressAxes();
    void fill();
    void setRanges();
    void arrange();
    void colour();
    [[nodiscard]] AxisRange rangeOf(const report::Axis& axis, bool horizontal) const;

    report::ChartSpec spec_;
    const Theme& theme_;
    PlotDress dress_;
    std::vector<SeriesStyle> looks_;
    std::optional<std::size_t> highlighted_;
    std::optional<PointRef> marked_;
    std::unique_ptr<QChart> chart_;
    PlotPainter* under_ = nullptr;  // children of the chart
    PlotPainter* over_ = nullptr;
    QAbstractAxis* xAxis_ = nullptr;  // the chart's
    QAbstractAxis* yAxis_ = nullptr;
    QBarSeries* bars_ = nullptr;
    std::vector<QBarSet*> barSets_;
    std::vector<QLineSeries*> lines_;
    bool arranging_ = false;
};

}  // namespace dlperf::ui
