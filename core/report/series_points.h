// SPDX-License-Identifier: Apache-2.0
// What the comparison charts have in common: visible series, points with whiskers, tips and findings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/numbers.h"

namespace dlperf::report {

// Those that are not hidden and have figures of one kind: times and throughputs never share an axis, and the
// fewer of both are skipped (a warning says that units differ).
[[nodiscard]] std::vector<const ComparedSeries*> visibleSeries(const Comparison& comparison,
                                                               const ChartOptions& options);

// Whether most series are times (lower is better).
[[nodiscard]] bool showsTimes(const Comparison& comparison);

// The framework that a chart's series looks like: its own, or `unknownFramework`.
[[nodiscard]] std::string lookFramework(const Configuration& configuration);

// A chart series without points, in the look of the compared one.
[[nodiscard]] Series chartSeries(const ComparedSeries& series);

// "OneFlow, 4n8g\n12,411.97 images/s, 31.21×, efficiency 97.5 %\n7 runs, 12,380.10 to 12,420.33"
[[nodiscard]] std::string tipOf(const ComparedSeries& series, const Cell& cell, Spread spread);

// One category for each topology of the comparison.
[[nodiscard]] Axis topologyAxis(const Comparison& comparison);

// A point for the cell with its tip, finding, range and single repetitions, all but the tip times `share`:
// 1 for throughput itself, one over the devices for that of each, one over the base for a speedup.
[[nodiscard]] Point pointOf(const ComparedSeries& series, const Cell& cell, Spread spread, double x,
                            double share);

// Where a figure is missing that somebody wanted (it is announced, failed or ran out of memory): its place on
// the axis, with its reason. Nothing for a cell that has its figure, and where nobody tried.
[[nodiscard]] std::optional<Point> missingPoint(const ComparedSeries& series, const Cell& cell, Spread spread,
                                                double x);

// The one or the other, in the unit that the options ask for: of the whole cell, or of each device.
[[nodiscard]] std::optional<Point> throughputPoint(const Comparison& comparison, const ComparedSeries& series,
                                                   const Cell& cell, const ChartOptions& options, double x);

// A chart of throughput, or of times, that has no axis and no series yet.
[[nodiscard]] ChartSpec throughputChart(const Comparison& comparison, const Vocabulary& vocabulary,
                                        const std::vector<const ComparedSeries*>& visible,
                                        const ChartOptions& options, ChartKind kind);

// Throughput on a logarithmic axis, from the doubling below the lowest figure on; bars become markers, for
// their length would say nothing. Leaves a chart without figures as it is.
void useLogFigures(ChartSpec& chart);

// A label on each bar, and which of its group is the best: it keeps its label where there is no room for all.
void labelBars(std::vector<Series>& series, bool lowest,
               const std::function<std::string(double)>& text = brief);

// Only the best and the worst of the points at the right end get a label.
void labelEnds(std::vector<Series>& lines, const std::function<std::string(double)>& text);

// The unit of the visible series; empty when they differ.
[[nodiscard]] std::string unitOf(const std::vector<const ComparedSeries*>& series);

}  // namespace dlperf::report
