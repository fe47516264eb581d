// SPDX-License-Identifier: Apache-2.0
// One chart in a graphics scene: Qt Charts draws axes, grid, lines and bars; what it lacks (whiskers,
// markers, rings, labels, regions, warnings) is painted over it. The same object serves the screen and files.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QtCharts/QChart>
#include <compare>
#include <memory>
#include <optional>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/charts/axis_range.h"
#include "ui/theme/series_style.h"

class QAbstractAxis;
class QAbstractBarSeries;
class QBarSet;
class QGraphicsScene;
class QLineSeries;

namespace dlperf::ui {

class PlotPainter;

// A file stands alone: it brings its title and its legend. In the window panels have them.
struct PlotFrame {
    bool title = false;
    bool legend = false;
};

struct PointRef {
    std::size_t series = 0;
    std::size_t point = 0;
    friend auto operator<=>(const PointRef&, const PointRef&) = default;
};

// The part that is looked at; an axis without one is shown whole.
struct PlotView {
    std::optional<AxisSpan> x{};
    std::optional<AxisSpan> y{};
    friend bool operator==(const PlotView&, const PlotView&) = default;
};

class Plot {
public:
    Plot(QGraphicsScene& scene, report::ChartSpec spec, const Theme& theme, PlotFrame frame = {});
    ~Plot();
    Plot(const Plot&) = delete;
    Plot& operator=(const Plot&) = delete;

    void resize(const QSizeF& size);

    // True when the other spec differs in its points only, so that replacing them is enough.
    [[nodiscard]] bool fits(const report::ChartSpec& spec) const;
    // The view stays; where it held the newest sample it moves along.
    void replace(report::ChartSpec spec);

    // Cut to what there is; whole categories only. Charts whose y follows what is shown take no part of it.
    void setView(const PlotView& view);
    const PlotView& view() const { return view_; }
    [[nodiscard]] AxisSpan whole(bool horizontal) const;
    [[nodiscard]] AxisSpan shown(bool horizontal) const;
    // Bars stand on zero, and on a line of many samples the eye follows time: only x is zoomed, y follows.
    [[nodiscard]] bool fitsY() const { return spec_.kind != report::ChartKind::Lines || isDense(); }

    void highlight(std::optional<std::size_t> series);
    [[nodiscard]] const std::optional<std::size_t>& highlighted() const { return highlighted_; }
    void mark(std::optional<PointRef> point);
    const std::optional<PointRef>& marked() const { return marked_; }
    void setCrosshair(std::optional<double> x);
    const std::optional<double>& crosshair() const { return crosshair_; }

    // The measured point under or near a position in the scene; none of a line of very many samples.
    [[nodiscard]] std::optional<PointRef> pointAt(const QPointF& position) const;
    // The value of x at a position in the scene; nothing outside the plot.
    [[nodiscard]] std::optional<double> valueAt(const QPointF& position) const;
    // Where a point is drawn; for bars the middle of the bar's top, for a missing figure its mark.
    [[nodiscard]] QPointF positionOf(const PointRef& point) const;
    [[nodiscard]] QPointF positionOf(double x, double y) const;
    [[nodiscard]] QRectF barOf(const PointRef& point) const;
    // A column that is too narrow for caps, single repetitions and a marker; not of a highlighted series.
    [[nodiscard]] bool isNarrow(const PointRef& point) const;
    [[nodiscard]] bool isInSight(const PointRef& point) const;
    // False for what has no value and for what a log axis cannot show.
    [[nodiscard]] bool isShown(const report::Point& point) const;
    [[nodiscard]] bool hasPlace(const report::Point& point) const { return point.missing || isShown(point); }
    [[nodiscard]] double opacityOf(std::size_t series) const;
    // Of a run that goes on.
    [[nodiscard]] bool isLive(std::size_t series) const { return spec_.series[series].samples != nullptr; }

    const report::ChartSpec& spec() const { return spec_; }
    const Theme& theme() const { return theme_; }
    const PlotFrame& frame() const { return frame_; }
    const std::vector<SeriesStyle>& looks() const { return looks_; }
    QChart& chart() const { return *chart_; }

private:
    void build();
    void buildBars();
    void buildLines();
    void buildNone();
    void styleAxes();
    void fill();
    void setRanges();
    void arrange();
    void colour();
    [[nodiscard]] PlotView possible(const PlotView& view) const;
    void applyRange(QAbstractAxis& qtAxis, const report::Axis& axis, bool horizontal);
    void takeSamples();
    [[nodiscard]] double footOf(const PointRef& ref) const;
    [[nodiscard]] std::size_t barsInGroup() const { return spec_.isStacked ? 1 : spec_.series.size(); }
    [[nodiscard]] AxisSpan extentOf(const report::Point& point) const;
    [[nodiscard]] AxisSpan dataExtent(bool horizontal) const;
    [[nodiscard]] AxisRange rangeOf(const report::Axis& axis, bool horizontal) const;
    [[nodiscard]] int fittingTicks() const;
    [[nodiscard]] bool isDense() const;
    [[nodiscard]] std::optional<double> newest() const;  // x of the last sample of a line of many

    report::ChartSpec spec_;
    const Theme& theme_;
    PlotFrame frame_;
    std::vector<SeriesStyle> looks_;
    std::optional<std::size_t> highlighted_;
    std::optional<PointRef> marked_;
    std::optional<double> crosshair_;
    PlotView view_;
    double groupWidth_ = 0;  // of all bars of a category, in categories
    std::unique_ptr<QChart> chart_;
    PlotPainter* under_ = nullptr;  // children of the chart
    PlotPainter* over_ = nullptr;
    QAbstractAxis* xAxis_ = nullptr;  // the chart's
    QAbstractAxis* yAxis_ = nullptr;
    QAbstractBarSeries* bars_ = nullptr;
    std::vector<QBarSet*> barSets_;
    std::vector<QLineSeries*> lines_;
    bool arranging_ = false;
};

template <class Visit>
void forEachPoint(const Plot& plot, Visit visit) {
    const auto& series = plot.spec().series;
    for (std::size_t s = 0; s < series.size(); ++s) {
        for (std::size_t p = 0; p < series[s].points.size(); ++p) {
            visit(PointRef{s, p}, series[s].points[p]);
        }
    }
}

}  // namespace dlperf::ui
