// SPDX-License-Identifier: Apache-2.0
// RangeRule::MeanOfSpeeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

class SpeedAggregator : public RangeAggregator {
public:
    SpeedAggregator(const Format& format, const MeasurementRange& measurement, const LineRange& range)
        : RangeAggregator(format, measurement, range), resumptions_(range.first) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        const bool isNumbered = format_->numbering == Numbering::Printed;
        const bool isDone = isNumbered && !range_.openEnd && reached();  // printed numbers may come again
        const bool isAnew = isNumbered && number < last_ / 2 && hasValues() && !reached();
        const std::size_t startBefore = std::exchange(previousStart_, start_);  // before the line before
        if (isAnew) {  // the trainer was started again: the last pass is measured
            start_ = values_.size();
            problem = fmt::format("counts anew from {} behind {}", number, last_);
        }
        if (mayResume() && !isDone) {
            follow(resumptions_.add(number), startBefore);
        }
        last_ = isAnew ? number : std::max(last_, number);
        const double value = line.value.value_or(-std::numeric_limits<double>::infinity());
        if (!(value > 0 && std::isfinite(value)) && !isSpeed(line, problem)) {
            return false;
        }
        if (range_.holds(number) && !isDone) {
            values_.push_back(value);
            if (countsOnce()) {
                numbers_.push_back(number);
            }
        }
        return !isAnew;
    }

    bool reached() const override { return last_ >= range_.last && hasValues(); }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        Measured result;
        if (!reached()) {
            return shortRun(*format_, measurement_, last_, meanSpeed(shape));
        }
        if (format_->exactCount && last_ > range_.last) {
            result.problem = RangeProblem::TooManyLines;
            result.explanation = fmt::format(
                "the log has {} counted lines where {} iterations of {} device{} give {}; DLPerf's extractor "
                "aborts here, so the log has no figure",
                last_, measurement_.train, range_.perRow, range_.perRow == 1 ? "" : "s", range_.last);
            return result;
        }
        result.value = meanSpeed(shape);
        noteFewLines(result);
        if (countsOnce() && once_ <= start_) {
            return result;  // a later pass is measured
        }
        noteResumptions(result, resumptions_,
                        countsOnce()
                            ? "the steps that it printed again count once, by their newer lines"
                            : "the steps that it printed again count twice, as in DLPerf's extractor");
        return result;
    }

private:
    bool hasValues() const { return values_.size() > start_; }

    // DLPerf's extractors take each line.
    bool countsOnce() const { return mayResume() && format_->source.empty(); }

    // What seemed to begin anew went on: with the line behind a single one, or behind what was printed again.
    void follow(Resumptions::Return change, std::size_t startBefore) {
        if (!countsOnce()) {
            return;
        }
        if (change == Resumptions::Return::Stray) {
            start_ = previousStart_ = startBefore;
        } else if (change == Resumptions::Return::Resumed) {
            start_ = previousStart_ = 0;
            once_ = values_.size();
        } else if (change == Resumptions::Return::Ranks) {
            once_ = 0;
        }
    }

    // Of the lines of one step before `once_` the newest, and all behind it.
    std::deque<double> newerValues() const {
        std::deque<double> newer(values_.begin() + static_cast<std::ptrdiff_t>(once_), values_.end());
        std::set<std::int64_t> seen;
        for (std::size_t line = once_; line-- > 0;) {
            if (seen.insert(numbers_[line]).second) {
                newer.push_front(values_[line]);
            }
        }
        return newer;
    }

    // A line tells of its own iteration: of a trainer that prints each fiftieth, few are in the range.
    void noteFewLines(Measured& result) const {
        constexpr std::size_t few = 5;
        const bool isEach = format_->lines.stride == 1 && format_->numbering == Numbering::Printed;
        const std::int64_t iterations = range_.last - range_.first;
        const std::size_t lines = values_.size() - start_;
        if (!isEach || range_.openEnd || lines >= few || iterations <= static_cast<std::int64_t>(lines)) {
            return;
        }
        result.problem = RangeProblem::FewLines;
        result.explanation = fmt::format(
            "the figure is that of {} over {} iterations: a longer measurement range, or a trainer that "
            "prints more often, gives a surer one",
            lines == 1 ? std::string("1 line") : fmt::format("{} lines", lines), iterations);
    }

    // Of a value that is not above zero.
    bool isSpeed(const CountedLine& line, std::string& problem) const {
        const bool isSeconds = format_->quantity == Quantity::Seconds;
        const bool isTime = isSeconds || format_->quantity == Quantity::BatchMilliseconds;
        if (!line.value || !std::isfinite(*line.value)) {
            return isWrong(problem, isSeconds ? "has no duration" : "has no speed");
        }
        if (*line.value < 0) {
            return isWrong(problem, isSeconds ? "has a negative duration" : "has a negative speed");
        }
        return !isTime || isWrong(problem, "has a duration of zero");
    }

    double lineSpeed(double value, const RunShape& shape) const {
        return roundedAs(speedOf(format_->quantity, value, shape), format_->lineSpeed);
    }

    double medianFrom(const std::deque<double>& values, std::size_t line, const RunShape& shape) const {
        std::vector<double> speeds(static_cast<std::size_t>(range_.perRow));
        for (double& speed : speeds) {
            speed = lineSpeed(values[line++], shape);
        }
        return medianOf(speeds);
    }

    double meanSpeed(const RunShape& shape) const {
        return once_ > start_ ? meanSpeed(newerValues(), 0, shape) : meanSpeed(values_, start_, shape);
    }

    // Where every rank prints, an iteration's speed is the median of its lines.
    double meanSpeed(const std::deque<double>& values, std::size_t start, const RunShape& shape) const {
        const auto perRow = static_cast<std::size_t>(range_.perRow);
        const std::size_t rows = (values.size() - start) / perRow;
        const auto fill = [&](std::size_t row, std::span<double> speeds) {
            for (double& speed : speeds) {
                speed = perRow == 1 ? lineSpeed(values[start + row], shape)
                                    : medianFrom(values, start + row * perRow, shape);
                ++row;
            }
        };
        return roundedAs(numpyMean(rows, fill), format_->figure);
    }

    std::deque<double> values_;         // of the range's lines; grows without a copy
    std::deque<std::int64_t> numbers_;  // theirs, where each step counts once
    std::size_t start_ = 0;             // the first of them that counts
    std::size_t previousStart_ = 0;     // before the newest line
    std::size_t once_ = 0;              // before this one, each step counts once
    Resumptions resumptions_;
};

}  // namespace

std::unique_ptr<RangeAggregator> makeSpeedAggregator(const Format& format, const MeasurementRange& range,
                                                     const LineRange& span) {
    return std::make_unique<SpeedAggregator>(format, range, span);
}

}  // namespace dlperf::analysis
