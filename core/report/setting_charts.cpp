// SPDX-License-Identifier: Apache-2.0
// Throughput over what a sweep went through: batch sizes, or the values of an option or a variable. Lines
// over numbers, bars over anything else.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "core/report/series_points.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

// Nothing where nobody recorded it: an older record does not say what an option's default was.
std::optional<std::string> settingValue(const ComparedSeries& series, const Setting& setting) {
    const Configuration& configuration = series.key.configuration;
    if (setting.isBatchSize()) {
        return configuration.batchSize > 0 ? std::optional(std::to_string(configuration.batchSize))
                                           : std::nullopt;
    }
    for (const Variant* values : {&configuration.variant, &series.defaults}) {
        if (const auto found = values->find(setting.name); found != values->end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

// The line that a series belongs to when the setting is on the axis.
SeriesKey lineKey(const ComparedSeries& series, const Setting& setting) {
    SeriesKey key = series.key;
    if (setting.isBatchSize()) {
        key.configuration.batchSize = 0;
    } else {
        key.configuration.variant.erase(setting.name);
    }
    return key;
}

// Numbers by their value, then what is none ("nan" has no place among them), by the letters.
using CategoryOrder = std::tuple<bool, double, std::string>;

CategoryOrder orderOf(const std::string& value) {
    const auto number = numberIn<double>(value);
    return number && !std::isnan(*number) ? CategoryOrder{false, *number, value}
                                          : CategoryOrder{true, 0, value};
}

// Where each value has its place on the axis.
using Places = std::map<std::string, double>;

// Nothing unless every value is a finite number; two ways to write one number are two values.
std::optional<Places> placesOfNumbers(const std::set<std::string>& values) {
    Places places;
    std::set<double> numbers;
    for (const std::string& value : values) {
        const auto number = numberIn<double>(value);
        if (!number || !std::isfinite(*number) || !numbers.insert(*number).second) {
            return std::nullopt;
        }
        places[value] = *number;
    }
    return places;
}

std::vector<std::string> categoriesOf(const std::set<std::string>& values) {
    std::vector<std::string> categories(values.begin(), values.end());
    std::ranges::sort(categories, {}, orderOf);
    return categories;
}

// From the smallest to the largest number, with room for whole markers. Where a doubling is a step the axis
// would be empty for most of it if it began at 1; else it begins at zero, unless that squeezes the points.
void fitNumbers(Axis& axis, const Places& places, const Setting& setting, bool logAxes) {
    const auto numbers = mapped(places, [](const auto& place) { return place.second; });
    if (numbers.empty()) {
        return;
    }
    const auto [smallest, largest] = std::ranges::minmax(numbers);
    constexpr double twoDoublings = 4;  // less is as well seen between equal steps
    const bool apart = setting.isBatchSize() || largest >= twoDoublings * smallest;
    if (logAxes && smallest > 0 && apart) {
        const double room = smallest == largest ? 2.2 : 1.5;  // two doublings at least have a tick
        axis.scale = AxisScale::Log2;
        axis.lowest = smallest / room;
        axis.highest = largest * room;
        return;
    }
    const bool fromZero = smallest > 0 && (setting.isBatchSize() || smallest <= largest / 2);
    const double low = fromZero ? 0 : smallest;
    const double span = largest > low ? largest - low : std::max(1.0, std::abs(largest));
    constexpr double room = 0.08;
    axis.lowest = fromZero ? 0 : low - room * span;
    axis.highest = largest + room * span;
}

// One cell on the axis.
struct Placed {
    const ComparedSeries* series = nullptr;
    std::string value;
    Point point;  // its x is not settled yet
};

std::vector<Placed> placedOn(const Setting& setting, const Comparison& comparison, const Topology& topology,
                             const ChartOptions& options) {
    std::vector<Placed> all;
    for (const ComparedSeries* series : visibleSeries(comparison, options)) {
        const Cell* cell = findCell(*series, topology);
        const auto value = settingValue(*series, setting);
        if (cell == nullptr || !value) {
            continue;
        }
        if (auto point = throughputPoint(comparison, *series, *cell, options, 0)) {
            all.push_back({series, *value, *std::move(point)});
        }
    }
    return all;
}

// Sets the axis of the chart, and with it what kind of chart it is.
Places layOut(ChartSpec& chart, const std::set<std::string>& values, const Setting& setting, bool logAxes) {
    chart.x.title = setting.isBatchSize() ? "Batch size per device" : setting.name;
    if (auto places = placesOfNumbers(values)) {
        fitNumbers(chart.x, *places, setting, logAxes);
        return *std::move(places);
    }
    chart.kind = ChartKind::Bars;
    chart.x.scale = AxisScale::Categories;
    Places places;
    for (const std::string& value : categoriesOf(values)) {
        places[value] = static_cast<double>(chart.x.categories.size());
        chart.x.categories.push_back(value.empty() ? "(empty)" : value);
    }
    return places;
}

// Lines in the order of their keys, points from left to right.
std::vector<Series> settingLines(std::vector<Placed> placed, const Places& places, const Setting& setting,
                                 const Vocabulary& vocabulary) {
    std::map<SeriesKey, Series> byKey;
    for (Placed& one : placed) {
        one.point.x = places.at(one.value);
        Series& line =
            byKey.try_emplace(lineKey(*one.series, setting), chartSeries(*one.series)).first->second;
        line.points.push_back(std::move(one.point));
    }
    const Titles titles = titlesOf(mapped(byKey, [](const auto& entry) { return entry.first; }), vocabulary);
    std::vector<Series> lines;
    for (auto& [key, line] : byKey) {
        line.title = titles.series[lines.size()];
        std::ranges::sort(line.points, {}, &Point::x);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

std::vector<Setting> sweptSettings(const Comparison& comparison) {
    const auto visible = visibleSeries(comparison, {});
    std::set<Setting> named{Setting{}};
    for (const ComparedSeries* series : visible) {
        for (const auto& [name, value] : series->key.configuration.variant) {
            named.insert({name});
        }
    }
    std::vector<Setting> swept;
    for (const Setting& setting : named) {
        std::set<std::string> values;
        for (const ComparedSeries* series : visible) {
            if (auto value = settingValue(*series, setting)) {
                values.insert(*std::move(value));
            }
        }
        if (values.size() > 1) {
            swept.push_back(setting);
        }
    }
    return swept;
}

std::optional<Topology> sweepTopology(const Comparison& comparison, const Setting& setting) {
    for (std::size_t i = comparison.topologies.size(); i-- > 0;) {
        std::map<SeriesKey, int> values;
        for (const ComparedSeries& series : comparison.series) {
            if (series.cells[i].fold.median && settingValue(series, setting) &&
                ++values[lineKey(series, setting)] > 1) {
                return comparison.topologies[i];
            }
        }
    }
    return comparison.topologies.empty() ? std::nullopt : std::optional(comparison.topologies.back());
}

ChartSpec throughputOver(const Setting& setting, const Comparison& comparison, const Vocabulary& vocabulary,
                         const Topology& topology, const ChartOptions& options) {
    ChartSpec chart = throughputChart(comparison, vocabulary, visibleSeries(comparison, options), options,
                                      ChartKind::Lines);
    chart.warnings = warningTexts(warningsOver(setting, comparison, vocabulary, options.hidden));
    chart.title +=
        " over " + (setting.isBatchSize() ? "batch size" : setting.name) + ", " + toString(topology);
    std::vector<Placed> placed = placedOn(setting, comparison, topology, options);
    std::set<std::string> values;
    for (const Placed& one : placed) {
        values.insert(one.value);
    }
    const Places places = layOut(chart, values, setting, options.logAxes);
    chart.series = settingLines(std::move(placed), places, setting, vocabulary);
    if (chart.kind == ChartKind::Bars) {
        labelBars(chart.series, showsTimes(comparison));
    } else {
        labelEnds(chart.series, brief);
    }
    if (options.logFigures) {
        useLogFigures(chart);
    }
    return chart;
}

}  // namespace dlperf::report
