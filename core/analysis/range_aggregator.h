// SPDX-License-Identifier: Apache-2.0
// The range rules: numbered lines in, the figure out. One class a family of rules, chosen by the row.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/line_range.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/resumptions.h"
#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

// Why a figure is missing, or differs from that of DLPerf's extractor.
enum class RangeProblem {
    None,
    ShortRange,  // the log does not hold the whole range
    TooManyLines,
    NoFiniteSpeed,
    ClockStepsBack,
    Midnight,
    SecondPass,
    LeadingDigit,
    OddRange,    // the epochs, or intervals, do not end where the range does
    CoarseMean,  // the digits of the printed means leave the figure open
    FewLines,    // the figure is the mean of a handful of iterations
    Resumed,     // the trainer went back to a checkpoint within the range
};
// The kind of the finding that tells of it, as result files name it.
[[nodiscard]] const char* findingKind(RangeProblem problem);

// What the measurement range gives for a run of a known shape.
struct Measured {
    std::optional<double> value;
    std::optional<double> dlperfValue;  // where it differs
    RangeProblem problem = RangeProblem::None;
    std::string explanation;                         // of the problem, a sentence
    std::optional<MeasurementRange> betweenLines{};  // see RunFigure
};

using HeaderWords = std::map<std::string, std::string>;  // of the log's header, as printed

class RangeAggregator {
public:
    // The format outlives the aggregator.
    RangeAggregator(const Format& format, const MeasurementRange& measurement, const LineRange& range)
        : format_(&format), measurement_(measurement), range_(range) {}
    virtual ~RangeAggregator() = default;

    // The next line in log order. False where something is wrong with it that the format cannot do without;
    // `problem` says what.
    [[nodiscard]] virtual bool add(std::int64_t number, const CountedLine& line, std::string& problem) = 0;
    // The range's first and last line have been seen, and all between them.
    [[nodiscard]] virtual bool reached() const = 0;
    // Nothing that follows can change the figure.
    [[nodiscard]] virtual bool closed() const { return format_->stopsAtEnd && reached(); }
    [[nodiscard]] virtual Measured measure(const RunShape& shape, const HeaderWords& words) const = 0;

protected:
    [[nodiscard]] static bool isWrong(std::string& problem, std::string what) {
        problem = std::move(what);
        return false;
    }
    // Not where a range without an end takes pass after pass, or ranks print each step in turn.
    [[nodiscard]] bool mayResume() const {
        return format_->numbering == Numbering::Printed && !range_.openEnd && !format_->everyRankPrints;
    }
    static void noteResumptions(Measured& result, const Resumptions& resumptions, std::string_view effect);

    const Format* format_;
    MeasurementRange measurement_;
    LineRange range_;
    std::int64_t last_ = 0;  // number of the last line
};

// `shape` says how many devices print.
[[nodiscard]] std::unique_ptr<RangeAggregator> makeAggregator(const Format& format,
                                                              const MeasurementRange& range,
                                                              const RunShape& shape);

// Of the families.
using MakeAggregator = std::unique_ptr<RangeAggregator>(const Format&, const MeasurementRange&,
                                                        const LineRange&);
MakeAggregator makeDurationAggregator, makeSpeedAggregator, makeStampAggregator, makeLatencyAggregator,
    makeMeanAggregator, makeIntervalAggregator;
[[nodiscard]] std::unique_ptr<RangeAggregator> makeEpochAggregator(const Format& format,
                                                                   const MeasurementRange& range,
                                                                   std::int64_t devices);

// What they share.
[[nodiscard]] double roundedAs(double value, const std::optional<FigureRounding>& rounding);
// The value grows with the speed, and not with the time.
[[nodiscard]] bool isSpeed(Quantity quantity);
// Times add up, speeds do not: the time, in a unit of the quantity's own, of so many iterations at a mean
// value; and the mean value of iterations that took so long.
[[nodiscard]] double spentOn(Quantity quantity, double iterations, double mean);
[[nodiscard]] double meanOf(Quantity quantity, double iterations, double spent);
// Samples per second of all devices, from a line's value.
[[nodiscard]] double speedOf(Quantity quantity, double value, const RunShape& shape);
// The figure from the seconds that a number of iterations took.
[[nodiscard]] double figureOf(const Format& format, const RunShape& shape, double seconds, double iterations);
// The log ended at line `last`: the finding, with what DLPerf's extractor makes of it.
[[nodiscard]] Measured shortRun(const Format& format, const MeasurementRange& range, std::int64_t last,
                                const std::optional<double>& partOfFigure);

}  // namespace dlperf::analysis
