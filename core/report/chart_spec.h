// SPDX-License-Identifier: Apache-2.0
// One chart description, one renderer: core says what a chart shows, ui draws it, on the screen and for
// files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/translation.h"
#include "core/model/case.h"

namespace dlperf::report {

class SampleLine;

// Dots: a column for each series and category, as bars have it: the singles, a mark on y, the whisker. On a
// linear axis y is what the repetitions are off; on a logarithmic one the figure, as bars need a zero.
enum class ChartKind { Bars, Lines, Dots };
enum class AxisScale { Linear, Log2, Categories };
enum class NumberStyle { Plain, Times, Percent };  // 12,412   31.2×   97.5 % (then y is 97.5, not 0.975)

struct Axis {
    std::string title{};
    AxisScale scale = AxisScale::Linear;
    NumberStyle numbers = NumberStyle::Plain;
    std::vector<std::string> categories{};  // for Categories; points then have x = index
    std::optional<double> lowest{};         // else from the data; bars always start at zero
    std::optional<double> highest{};
};

struct Point {
    double x = 0;
    double y = 0;
    std::optional<double> low{};    // whisker or band: minimum
    std::optional<double> high{};   // maximum
    std::vector<double> singles{};  // the repetitions that y is the median of; drawn faintly
    std::string label{};            // end label or label of a bar; empty: none
    bool isBest = false;  // of its group of bars: alone has its label where not all of the chart's have room
    std::string tip{};    // plain text shown on hover
    std::string finding{};  // not empty: ringed, text of the finding
    bool missing = false;   // no figure: y is none, the reason is marked on the x axis
    // Of the case: 1n2g and 2n1g are one place on an axis of devices.
    std::optional<Topology> topology{};
};

// How many hues there are by position; a position past them has the first hue again, filled in another way.
inline constexpr int huesByPosition = 6;

// How many looks the series of one framework have, by their fill; one past them looks like the first.
inline constexpr int looksOfFramework = 15;

// In place of an id where nobody knows the framework: looks as any that the vocabulary does not have.
inline constexpr const char* unknownFramework = "unknown";

// Rest: what no cause explains; as data, but grey.
enum class SeriesRole { Data, Ideal, RunningMedian, Rest };

struct Series {
    std::string key{};        // stable; what legends hide and colours follow
    std::string title{};      // "NGC PyTorch"
    std::string framework{};  // vocabulary id: decides hue and marker; empty: colours by position
    int fill = 0;             // which look of its framework (see SeriesLooks); or the position
    SeriesRole role = SeriesRole::Data;
    std::vector<Point> points{};  // rising x; lines break at no point (but see ways)
    // Not null: a line of very many points, of which whoever draws takes what is in sight; it never changes.
    std::shared_ptr<const SampleLine> samples{};
    std::string endLabel{};  // of the last sample
    // Where the line parts: the indices of the points on each way, which begins where it leaves another.
    // Empty: one way through all points.
    std::vector<std::vector<std::size_t>> ways{};
};

struct Region {  // shaded range of x, e.g. warmup
    double from = 0;
    double to = 0;
    std::string label{};  // "warmup, not measured"
};

struct ChartSpec {
    std::string title{};  // "Throughput"
    std::string unit{};   // "images/s"
    ChartKind kind = ChartKind::Lines;
    bool isStacked = false;  // bars of a category stand on each other, the first series lowest; linear y
    Axis x{};
    Axis y{};
    std::vector<Series> series{};
    std::vector<Region> regions{};
    std::vector<std::string> warnings{};  // what the comparison mixes that it should not; shown on the chart
};

// The part of a chart that someone zoomed to, as a chart of its own: what is exported is what is seen.
// On a category axis the indices of the first and the last category.
struct ChartRange {
    double from = 0;
    double to = 0;
    friend bool operator==(const ChartRange&, const ChartRange&) = default;
};

struct ChartPart {
    std::optional<ChartRange> x{};  // nothing: all of it
    std::optional<ChartRange> y{};
};

[[nodiscard]] ChartSpec partOf(ChartSpec chart, const ChartPart& part);

// Dots whose y is an offset from zero.
[[nodiscard]] inline bool showsOffsets(const ChartSpec& chart) {
    return chart.kind == ChartKind::Dots && chart.y.scale == AxisScale::Linear;
}

// All that it says. Keys and categories, which are topologies or values of a setting, stay.
[[nodiscard]] ChartSpec translated(ChartSpec chart, const Translation& language);

}  // namespace dlperf::report
