// SPDX-License-Identifier: Apache-2.0
// RangeRule::BetweenStamps.
#include <fmt/format.h>

#include <utility>

#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

constexpr double secondsOfDay = 86'400;

class StampAggregator : public RangeAggregator {
public:
    using RangeAggregator::RangeAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        last_ = number;
        if (number <= range_.last && line.stamp.read()) {  // only between such can be measured
            ends_.keep(number, range_);
        }
        const bool isStart = number == range_.first;
        const bool isEnd = number == range_.last;
        if (!isStart && !isEnd && (!format_->everyLineStamped || line.stamp.isSure)) {
            return true;
        }
        const std::optional<Stamp> stamp = line.stamp.read();
        if (!stamp) {
            return isWrong(problem, "has no time stamp that can be read");
        }
        if (isStart) {
            start_ = lastStart_ = stamp;
        }
        if (isEnd) {
            if (!start_ && format_->stopsAtEnd) {
                return isWrong(
                    problem, fmt::format("ends the measurement range, but there is no iteration {} before it",
                                         measurement_.warmup));
            }
            lastEnd_ = stamp;
            if (start_) {
                pass_.emplace(*start_, *stamp);
            }
            start_.reset();
        }
        return true;
    }

    bool reached() const override { return pass_.has_value(); }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        if (!reached()) {
            Measured result = shortRun(*format_, measurement_, last_, {});
            const bool isOfIterations =
                range_.first == measurement_.warmup && range_.last == measurement_.train;
            if (isOfIterations && format_->numbering == Numbering::Printed) {  // else no number is left out
                result.betweenLines = ends_.within(range_, format_->lowestWarmup);
            }
            return result;
        }
        Measured result;
        const double printed = secondsBetween(pass_->first, pass_->second, format_->clock);
        const double seconds = overMidnight(printed) ? printed + secondsOfDay : printed;
        const double dlperfSeconds = secondsBetween(*lastStart_, *lastEnd_, format_->clock);
        const double dlperf = figureOf(*format_, shape, dlperfSeconds, range_.iterations);
        if (seconds > 0) {
            result.value = figureOf(*format_, shape, seconds, range_.iterations);
        }
        if (dlperfSeconds != 0 && dlperf != result.value) {
            result.dlperfValue = dlperf;
        }
        explain(result, printed);
        return result;
    }

private:
    // A clock without a date steps back at midnight.
    bool overMidnight(double seconds) const { return format_->clock == Clock::TimeOfDay && seconds < 0; }

    void explain(Measured& result, double seconds) const {
        const std::string dlperf = result.dlperfValue ? fmt::format("gives {}", *result.dlperfValue)
                                                      : std::string("divides by zero");
        if (!result.value) {
            result.problem = RangeProblem::ClockStepsBack;
            result.explanation = fmt::format(
                "the clock does not go forward between iterations {} and {} ({} s), so there is no speed; "
                "DLPerf's extractor {}",
                measurement_.warmup, measurement_.train, seconds, dlperf);
        } else if (overMidnight(seconds)) {
            result.problem = RangeProblem::Midnight;
            result.explanation = fmt::format(
                "the measurement range goes over midnight and its clock has no date; the figure counts the "
                "day's "
                "change, DLPerf's extractor {}",
                dlperf);
        } else if (result.dlperfValue) {
            result.problem = RangeProblem::SecondPass;
            result.explanation = fmt::format(
                "the iterations of the measurement range repeat; the figure is that of the last whole pass, "
                "DLPerf's "
                "extractor mixes two and {}",
                dlperf);
        }
    }

    // Stamps: of one pass over the data, and what the extractor holds when it keeps the last of each.
    std::optional<Stamp> start_;
    std::optional<std::pair<Stamp, Stamp>> pass_;
    std::optional<Stamp> lastStart_;
    std::optional<Stamp> lastEnd_;
    RangeEnds ends_;
};

}  // namespace

std::unique_ptr<RangeAggregator> makeStampAggregator(const Format& format, const MeasurementRange& range,
                                                     const LineRange& span) {
    return std::make_unique<StampAggregator>(format, range, span);
}

}  // namespace dlperf::analysis
