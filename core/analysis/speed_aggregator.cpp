// SPDX-License-Identifier: Apache-2.0
// RangeRule::MeanOfSpeeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
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
        if (isAnew) {  // the trainer was started again: the last pass is measured
            start_ = values_.size();
            problem = fmt::format("counts anew from {} behind {}", number, last_);
        }
        if (mayResume() && !isDone) {
            follow(resumptions_.add(number));
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

    void follow(Resumptions::Return change) {
        if (change == Resumptions::Return::None || !countsOnce()) {
            return;
        }
        start_ = 0;  // what seemed to begin anew went on
        if (change == Resumptions::Return::Resumed) {
            keepNewer();
        }
    }

    // Of the lines of one step.
    void keepNewer() {
        std::set<std::int64_t> seen;
        std::size_t to = values_.size();
        for (std::size_t from = values_.size(); from-- > 0;) {
            if (seen.insert(numbers_[from]).second) {
                values_[--to] = values_[from];
                numbers_[to] = numbers_[from];
            }
        }
        const auto dropped = static_cast<std::ptrdiff_t>(to);
        values_.erase(values_.begin(), values_.begin() + dropped);
        numbers_.erase(numbers_.begin(), numbers_.begin() + dropped);
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

    double speedAt(std::size_t line, const RunShape& shape) const {
        return roundedAs(speedOf(format_->quantity, values_[start_ + line], shape), format_->lineSpeed);
    }

    double medianOfRow(std::size_t row, const RunShape& shape) const {
        std::vector<double> speeds(static_cast<std::size_t>(range_.perRow));
        std::size_t line = row * speeds.size();
        for (double& speed : speeds) {
            speed = speedAt(line++, shape);
        }
        return medianOf(speeds);
    }

    // Where every rank prints, an iteration's speed is the median of its lines.
    double meanSpeed(const RunShape& shape) const {
        const std::size_t rows = (values_.size() - start_) / static_cast<std::size_t>(range_.perRow);
        const auto fill = [&](std::size_t row, std::span<double> speeds) {
            for (double& speed : speeds) {
                speed = range_.perRow == 1 ? speedAt(row, shape) : medianOfRow(row, shape);
                ++row;
            }
        };
        return roundedAs(numpyMean(rows, fill), format_->figure);
    }

    std::deque<double> values_;         // of the range's lines; grows without a copy
    std::deque<std::int64_t> numbers_;  // theirs, where each step counts once
    std::size_t start_ = 0;             // the first of them that counts
    Resumptions resumptions_;
};

}  // namespace

std::unique_ptr<RangeAggregator> makeSpeedAggregator(const Format& format, const MeasurementRange& range,
                                                     const LineRange& span) {
    return std::make_unique<SpeedAggregator>(format, range, span);
}

}  // namespace dlperf::analysis
