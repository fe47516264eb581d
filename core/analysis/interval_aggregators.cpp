// SPDX-License-Identifier: Apache-2.0
// RangeRule::BetweenMeans and RangeRule::SumOfIntervals: lines that tell of more iterations than their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

bool isAboveZero(const Format& format, const CountedLine& line, std::string& problem) {
    if (line.value && std::isfinite(*line.value) && *line.value > 0) {
        return true;
    }
    problem = isSpeed(format.quantity) ? "has no speed" : "has no duration";
    return false;
}

class RunningMeans : public RangeAggregator {
public:
    using RangeAggregator::RangeAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        last_ = number;
        ends_.keep(number, range_);
        const bool isStart = number == range_.first;
        const bool isEnd = number == range_.last;
        if (!isStart && !isEnd) {
            return true;
        }
        if (!isAboveZero(*format_, line, problem)) {
            return false;
        }
        if (isStart) {
            start_ = line.value;
        } else if (start_ || range_.first == 0) {
            pass_.emplace(start_.value_or(0), *line.value);
            start_.reset();
        }
        return true;
    }

    bool reached() const override { return pass_.has_value(); }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        if (!reached()) {
            Measured result = shortRun(*format_, measurement_, last_, {});
            if (last_ >= range_.last) {
                result.explanation = fmt::format(
                    "the speed comes from the means that the lines of iterations {} and {} tell, of which "
                    "the log lacks one",
                    range_.first, range_.last);
            }
            result.betweenLines = ends_.within(range_, format_->lowestWarmup);
            return result;
        }
        Measured result;
        const double speed = speedBetween(0, 0, shape);
        if (!(speed > 0 && std::isfinite(speed))) {
            result.problem = RangeProblem::NoFiniteSpeed;
            result.explanation =
                "the running means at the ends of the measurement range give no speed above zero";
            return result;
        }
        result.value = roundedAs(speed, format_->figure);
        noteDigits(result, shape);
        return result;
    }

private:
    // Had the two means been a little larger or smaller.
    double speedBetween(double startError, double endError, const RunShape& shape) const {
        const auto spentUntil = [&](std::int64_t number, double mean) {
            return number == 0 ? 0 : spentOn(format_->quantity, static_cast<double>(number), mean);
        };
        const double spent = spentUntil(range_.last, pass_->second + endError) -
                             spentUntil(range_.first, pass_->first + startError);
        const auto iterations = static_cast<double>(range_.last - range_.first);
        return speedOf(format_->quantity, meanOf(format_->quantity, iterations, spent), shape);
    }

    void noteDigits(Measured& result, const RunShape& shape) const {
        constexpr double mostOpen = 0.01;
        if (!format_->valueRounding) {
            return;
        }
        const double half = std::pow(10.0, -format_->valueRounding->decimals) / 2;
        const double low = speedBetween(half, -half, shape);
        const double high = speedBetween(-half, half, shape);
        if (low > 0 && high > 0 && std::abs(high - low) <= 2 * mostOpen * *result.value) {
            return;
        }
        result.problem = RangeProblem::CoarseMean;
        if (low > 0 && high > 0) {
            result.explanation =
                fmt::format("by the digits of the printed means the figure lies between {:.4g} and {:.4g}",
                            std::min(low, high), std::max(low, high));
        } else {
            result.value.reset();
            result.explanation =
                "the printed means have too few digits to tell the speed within the measurement range";
        }
    }

    std::optional<double> start_;
    std::optional<std::pair<double, double>> pass_;  // means at the range's start and end
    RangeEnds ends_;
};

// A line tells of the iterations since the one before it; those of several ranks tell the same twice.
class PrintedIntervals : public RangeAggregator {
public:
    using RangeAggregator::RangeAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        const bool isGood = isAboveZero(*format_, line, problem);
        last_ = number;
        if (number <= first_) {
            beginPass(number);
        }
        if (isDone_ || number <= newest_) {
            return isGood;
        }
        const std::int64_t before = std::exchange(newest_, number);
        step_ = number - before;
        keepWhole(before, number);
        if (isGood && before >= range_.first && number <= range_.last) {
            covered_ += step_;
            spent_ +=
                isWhole() ? *line.value : spentOn(format_->quantity, static_cast<double>(step_), *line.value);
        }
        // No more interval ends within the range, if the next one is as long.
        isReached_ = isReached_ || (covered_ > 0 && number + step_ > range_.last);
        isDone_ = isReached_ && number >= range_.last;
        return isGood;
    }

    bool reached() const override { return isReached_; }
    bool closed() const override { return format_->stopsAtEnd && isDone_; }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        if (!reached()) {
            Measured result = shortRun(*format_, measurement_, last_, {});
            if (covered_ == 0 && last_ >= range_.last) {
                result.explanation = fmt::format(
                    "no line tells of iterations {} to {} alone: the lines are {} iterations apart",
                    range_.first + 1, range_.last, step_);
                result.betweenLines = whole_;
            }
            return result;
        }
        Measured result;
        const auto iterations = static_cast<double>(covered_);
        const Quantity quantity = isWhole() ? Quantity::Seconds : format_->quantity;
        result.value =
            roundedAs(speedOf(quantity, meanOf(quantity, iterations, spent_), shape), format_->figure);
        constexpr std::int64_t mostMissing = 4;  // a quarter
        const std::int64_t wanted = range_.last - range_.first;
        if ((wanted - covered_) * mostMissing > wanted) {
            result.problem = RangeProblem::OddRange;
            result.explanation = fmt::format(
                "the lines that tell of iterations within the measurement range alone tell of {} of its {}",
                covered_, wanted);
        }
        return result;
    }

private:
    // Another epoch, or the trainer was started again. The first pass that holds the range is measured.
    void beginPass(std::int64_t number) {
        isDone_ = isReached_;
        first_ = number;
        if (!isDone_) {
            newest_ = covered_ = 0;
            spent_ = 0;
        }
    }

    // The first interval behind the warmup, and those that follow it while the range is no longer.
    void keepWhole(std::int64_t before, std::int64_t number) {
        if (!whole_ && before >= range_.first && number <= std::numeric_limits<int>::max()) {
            whole_ = MeasurementRange{static_cast<int>(before), static_cast<int>(number)};
        } else if (whole_ && before == whole_->train &&
                   number - whole_->warmup <= range_.last - range_.first) {
            whole_->train = static_cast<int>(number);
        }
    }

    // The value is the whole interval's.
    bool isWhole() const { return format_->quantity == Quantity::IntervalSeconds; }

    std::int64_t first_ = std::numeric_limits<std::int64_t>::max();  // of the pass
    std::int64_t newest_ = 0;
    std::int64_t step_ = 0;
    std::int64_t covered_ = 0;               // iterations of the range
    double spent_ = 0;                       // on them
    std::optional<MeasurementRange> whole_;  // between two lines
    bool isReached_ = false;
    bool isDone_ = false;  // nothing that follows counts
};

}  // namespace

std::unique_ptr<RangeAggregator> makeMeanAggregator(const Format& format, const MeasurementRange& range,
                                                    const LineRange& span) {
    return std::make_unique<RunningMeans>(format, range, span);
}

std::unique_ptr<RangeAggregator> makeIntervalAggregator(const Format& format, const MeasurementRange& range,
                                                        const LineRange& span) {
    return std::make_unique<PrintedIntervals>(format, range, span);
}

}  // namespace dlperf::analysis
