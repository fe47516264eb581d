// SPDX-License-Identifier: Apache-2.0
// From results to series, a table and charts. The window's Compare page and every report use the same
// Comparison, so what is exported is what is seen.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/median_interval.h"
#include "core/analysis/summary.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/chart_spec.h"
#include "core/report/finding.h"

namespace dlperf::report {

// Why a cell has no figure. Nobody tried where it was neither measured nor published.
enum class MissingReason { None, OutOfMemory, Failed, Excluded, Announced, NotMeasured, NotPublished };

// Cases that differ in topology only: one line of a chart. Never mixes campaigns, variants or data sources.
struct SeriesKey {
    Configuration configuration;
    Origin origin = Origin::Own;
    std::string campaign;  // campaign id, of those that complete each other the first; import name or
                           // published source
    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

[[nodiscard]] SeriesKey seriesKeyOf(const RunResult& result);

struct Cell {
    Topology topology;
    analysis::Fold fold;
    std::optional<double> speedup;               // over the series' own 1n1g median, or the comparison's base
    std::optional<double> efficiency;            // unrounded speedup over the own 1n1g / devices, 0.975
    std::vector<double> repetitions;             // in repetition order
    std::vector<int> repetitionNumbers;          // of each of them: failed and excluded ones leave gaps
    std::optional<analysis::Interval> interval;  // of the median; too few repetitions: nothing
    std::optional<analysis::Interval> speedupInterval;     // none where a cell is its own base
    std::optional<analysis::Interval> efficiencyInterval;  // over the own 1n1g, as the efficiency
    std::optional<analysis::Interval>
        range;         // how they spread, as the comparison's `spread` says; too few: nothing
    int failed = 0;    // runs of this cell that did not end ok
    int excluded = 0;  // runs excluded by the user or by the source itself
    MissingReason missingReason = MissingReason::None;
    std::string missing;     // the same in words: "OOM", "not published", "3 of 3 failed: …"; else empty
    std::string failures{};  // "1 of 3 failed: exit code 1", with and without a figure; empty: none did
    std::string versionMix;  // "torch 2.1.0 (3 runs), 2.2.0 (2 runs)": its runs were made of different things
    std::string changedRange{};  // "20:120 -> 50:150, changed afterwards (3 runs)": the user changed it
                                 // after the runs
    std::vector<std::string> heldBack{};  // why some repetitions are slower than the others (see held_back.h)
    std::vector<CellFinding> findings{};  // what stands out
    std::optional<double> memoryMb{};     // of a device at most, where telemetry or a source says so

    // It has a figure, or somebody wanted one.
    [[nodiscard]] bool wasTried() const {
        return missingReason != MissingReason::NotMeasured && missingReason != MissingReason::NotPublished;
    }
};

struct ComparedSeries {
    SeriesKey key;
    std::string id;     // stable text of the key
    std::string title;  // as short as it can be while unique in the comparison: "NGC PyTorch",
                        // "dlperf-worker, image_size=64"
    std::string unit;
    int fill = 0;                             // which look of its framework it has: see SeriesLooks
    std::vector<Cell> cells;                  // one for each topology of the comparison, small to large
    std::vector<std::string> dataWarnings{};  // where the source contradicts itself: "quotes 13.45× for 4n8g"
    std::string driver{};                     // of the GPUs, if its runs say the same one
    std::vector<std::string> sources{};  // published: all that quote these figures, the key's campaign first
    std::string campaignName{};          // what people call the key's campaign
    Variant defaults{};  // of the options that its variant does not name, as far as its runs recorded them
    std::optional<int> position{};  // of its colour; none: the framework's (see series_colours.h)
};

// What a comparison mixes that it should not, or what a source says against its own figures.
enum class WarningKind {
    Models,
    ImageSizes,
    Data,  // real or synthetic
    Precisions,
    BatchSizes,
    Units,
    Machines,
    Drivers,
    UnknownPrecision,
    Source,
};

struct Warning {
    struct Group {
        std::string value;                // "224"; of a source what it says
        std::vector<std::string> series;  // the titles of those that have it
        friend bool operator==(const Group&, const Group&) = default;
    };
    WarningKind kind = WarningKind::Models;
    std::vector<Group> groups{};
    friend bool operator==(const Warning&, const Warning&) = default;
};

// "Image sizes differ: 224 (OneFlow; NGC PyTorch), 64 (dlperf-worker)"; brief: "Image sizes differ: 224, 64".
[[nodiscard]] std::string warningText(const Warning& warning, bool brief = false);
[[nodiscard]] std::vector<std::string> warningTexts(const std::vector<Warning>& warnings);

// What whiskers and tables show of the repetitions of a cell.
enum class Spread { MinToMax, Confidence };

struct Comparison {
    std::string title;  // "ResNet50 v1.5, fp32, batch size 128": what most series have in common; the
                        // others say what is different in their titles
    bool titleIsOfAll = true;
    std::vector<ComparedSeries> series;  // by median at the largest common topology, best first
    std::vector<Topology> topologies;    // of all series, small to large
    std::vector<Warning> warnings;
    Spread spread = Spread::MinToMax;
    std::string speedupBase;  // title of the series whose 1n1g all speedups are over; empty: each one's own
};

// Results that are excluded or not ok give no figure, but are counted. Repetitions are folded by the rule of
// their log format; a figure that a source quotes (repetition 0) is the median as it stands. A speedup that a
// source quotes is checked against its figures, and taken only where the source has no 1n1g figure to compute
// it from.
[[nodiscard]] Comparison compare(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                                 const analysis::FormatBook& formats = analysis::FormatBook());
// The same of some out of many, without copying them.
[[nodiscard]] Comparison compareChosen(std::span<const RunResult* const> results,
                                       const Vocabulary& vocabulary, const analysis::FormatBook& formats);

// Of the series that are shown: a warning that concerns hidden ones only is not given.
[[nodiscard]] std::vector<Warning> warningsOf(const Comparison& comparison, const Vocabulary& vocabulary,
                                              const std::set<std::string>& hidden = {});
// What a chart can have on its x axis in place of the topology: the batch size per device, or what a plan
// gave several values, an option of a recipe or an environment variable.
struct Setting {
    std::string name;  // empty: the batch size
    [[nodiscard]] bool isBatchSize() const { return name.empty(); }
    friend auto operator<=>(const Setting&, const Setting&) = default;
};

// The same for charts over the setting, which are made to show that its values differ.
[[nodiscard]] std::vector<Warning> warningsOver(const Setting& setting, const Comparison& comparison,
                                                const Vocabulary& vocabulary,
                                                const std::set<std::string>& hidden);

// Whether the result is in the series: of its campaign, or of a source that quotes the same figures.
[[nodiscard]] bool holds(const ComparedSeries& series, const RunResult& result);

// The cell of the topology, or null.
[[nodiscard]] const Cell* findCell(const ComparedSeries& series, const Topology& topology);

// What is shown of a finished comparison.

// Speedups over the 1n1g median of the series with this id, rounded as DLPerf's; efficiencies stay each
// series' own. The comparison as it is for an id that it does not have, or a series without 1n1g.
[[nodiscard]] Comparison overBase(Comparison comparison, const std::string& seriesId);
// Without these topologies, and without the series of which nothing ran on any other one. Speedups stay what
// they are when the 1n1g figures that they rest on are out of sight.
[[nodiscard]] Comparison withoutTopologies(Comparison comparison, const std::set<Topology>& hidden);
// With campaigns called by their names where their ids tell series apart, by when they began where they have
// none: for a window. Files keep the ids.
using CampaignNames = std::map<std::string, std::string>;  // by id
[[nodiscard]] Comparison withCampaignNames(Comparison comparison, const CampaignNames& names);
// The ranges of all cells as the choice says. Findings stay: they are about the extremes.
[[nodiscard]] Comparison withSpread(Comparison comparison, Spread spread);

// A cell's range in words: "11,283.49 to 11,461.68", "median within 11,300.00 to 11,400.00 (95 %)"; or why
// there is none. Of a cell with repetitions; see decimalsOf().
[[nodiscard]] std::string rangeText(const Cell& cell, Spread spread, int decimals);
// "median within 11,300.00 to 11,400.00 (95 %)", of a cell that has the interval of its median.
[[nodiscard]] std::string intervalText(const Cell& cell, int decimals);
// Why a cell that has repetitions has no range; empty where it has one.
[[nodiscard]] std::string whyNoRange(const Cell& cell, Spread spread);
// The width of the cell's range over its median; nothing where there is no range.
[[nodiscard]] std::optional<double> spreadOf(const Cell& cell);

struct ChartOptions {
    bool perDevice = false;
    bool relative = false;           // bars: each over the one that it is compared with, at its topology:
    std::string relativeTo{};        // that of the series of this id; empty: the best one
    bool logAxes = true;             // where devices or batch sizes are on the x axis
    bool logFigures = false;         // throughput on a logarithmic axis: markers in place of bars
    std::set<std::string> hidden{};  // series ids
};
[[nodiscard]] ChartSpec throughputBars(const Comparison& comparison, const Vocabulary& vocabulary,
                                       const ChartOptions& options);
// What its case takes of a device's memory, where the sources say so.
[[nodiscard]] ChartSpec memoryBars(const Comparison& comparison, const Vocabulary& vocabulary,
                                   const ChartOptions& options);
// Every repetition of every case, in percent of its median: cases of all sizes on one axis.
[[nodiscard]] ChartSpec repetitionDots(const Comparison& comparison, const Vocabulary& vocabulary,
                                       const ChartOptions& options);
[[nodiscard]] ChartSpec speedupLines(const Comparison& comparison, const Vocabulary& vocabulary,
                                     const ChartOptions& options);
[[nodiscard]] ChartSpec efficiencyLines(const Comparison& comparison, const Vocabulary& vocabulary,
                                        const ChartOptions& options);
// Those whose values differ between the series, the batch size first.
[[nodiscard]] std::vector<Setting> sweptSettings(const Comparison& comparison);
// The largest topology at which some line would have two values or more; else the largest of all.
[[nodiscard]] std::optional<Topology> sweepTopology(const Comparison& comparison, const Setting& setting);
// One line for the cases that differ in this setting only, at one topology; bars where a value is no finite
// number. A series whose value nobody recorded has no place on the axis.
[[nodiscard]] ChartSpec throughputOver(const Setting& setting, const Comparison& comparison,
                                       const Vocabulary& vocabulary, const Topology& topology,
                                       const ChartOptions& options);

}  // namespace dlperf::report
