// SPDX-License-Identifier: Apache-2.0
// RangeRule::SumOfDurations and RangeRule::SumOfEpochs.
#include <fmt/format.h>

#include <cmath>

#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

class DurationAggregator : public RangeAggregator {
public:
    using RangeAggregator::RangeAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        if (!hasDuration(line, problem)) {
            last_ = number;
            return false;
        }
        const bool inPlace = isInPlace(number, problem);
        last_ = number;
        if (number == range_.first + 1 + measured_ && number <= range_.last) {
            addDuration(*line.value, line.dlperfValue.value_or(*line.value));
        }
        return inPlace;
    }

    bool reached() const override { return measured_ > 0 && measured_ == range_.last - range_.first; }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        if (!reached()) {
            return shortRun(*format_, measurement_, last_, {});
        }
        Measured result;
        result.value = figureOf(*format_, shape, seconds_, range_.iterations);
        const double dlperf = figureOf(*format_, shape, dlperfSeconds_, range_.iterations);
        if (misread_ > 0 && dlperfSeconds_ > 0 && dlperf != result.value) {
            result.dlperfValue = dlperf;
            result.problem = RangeProblem::LeadingDigit;
            result.explanation = fmt::format(
                "DLPerf's extractor misreads {} duration{} in the measurement range (it expects one digit "
                "before the "
                "point and at most three behind it) and gives {}; the right figure is {}",
                misread_, misread_ == 1 ? "" : "s", dlperf, *result.value);
        }
        return result;
    }

private:
    bool hasDuration(const CountedLine& line, std::string& problem) const {
        if (!line.value || !std::isfinite(*line.value)) {
            return isWrong(problem, "has no duration");
        }
        if (format_->dropsLeadingDigits && !line.dlperfValue) {
            return isWrong(problem, "has no duration that the extractor can read");
        }
        return *line.value >= 0 || isWrong(problem, "has a negative duration");
    }

    // A trainer that was started again counts anew: the last pass is measured.
    bool isInPlace(std::int64_t number, std::string& problem) {
        if (number <= last_ && !reached()) {
            measured_ = misread_ = 0;
            seconds_ = dlperfSeconds_ = 0;
            return isWrong(problem, fmt::format("counts anew from {} behind {}", number, last_));
        }
        const std::int64_t next = range_.first + 1 + measured_;
        if (number > next && number <= range_.last) {
            return isWrong(problem, fmt::format("is iteration {}, but {} is missing", number, next));
        }
        return true;
    }

    void addDuration(double seconds, double dlperfSeconds) {
        ++measured_;
        seconds_ += seconds;
        dlperfSeconds_ += dlperfSeconds;
        misread_ += dlperfSeconds != seconds ? 1 : 0;
    }

    std::int64_t measured_ = 0;
    double seconds_ = 0;
    double dlperfSeconds_ = 0;
    std::int64_t misread_ = 0;  // durations of which the extractor reads another
};

// Every device prints the iteration it has come to and then the time of the epoch.
class EpochAggregator : public RangeAggregator {
public:
    EpochAggregator(const Format& format, const MeasurementRange& range, std::int64_t devices)
        : RangeAggregator(format, range, {}), devices_(devices) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        if (!line.value) {
            if (stride_ == 0) {
                stride_ = number;
            }
            current_ = number;
            passed_ = passed_ || number > measurement_.train;
            return true;
        }
        if (!std::isfinite(*line.value) || *line.value < 0) {
            return isWrong(problem, "has no epoch time");
        }
        if (current_ > measurement_.warmup) {
            milliseconds_ += *line.value;
            covered_ += stride_;
            ++counted_;
        }
        return true;
    }

    bool reached() const override { return passed_ || (counted_ > 0 && covered_ >= wanted()); }
    bool closed() const override { return passed_; }

    Measured measure(const RunShape& shape, const HeaderWords& /*words*/) const override {
        Measured result;
        const double seconds = milliseconds_ / 1000;
        constexpr double least = 1e-5;  // below, DLPerf's extractor leaves the log out
        const auto asked = static_cast<double>(wanted());
        const auto batch = static_cast<double>(shape.globalBatchSize());
        const auto figure = [&](double iterations) {
            return roundedAs(batch / (seconds / iterations), format_->figure);
        };
        if (!reached() || seconds <= least) {
            result = shortRun(*format_, measurement_, current_, {});
            result.dlperfValue.reset();
            result.explanation += seconds <= least
                                      ? "; DLPerf's extractor leaves the log out"
                                      : fmt::format("; DLPerf's extractor gives {}", figure(asked));
            if (seconds > least) {
                result.dlperfValue = figure(asked);
            }
            return result;
        }
        result.value = figure(asked);
        if (covered_ != wanted()) {
            result.problem = RangeProblem::OddRange;
            result.explanation = fmt::format(
                "the epochs measured hold {} iterations of all devices, but DLPerf's rule divides by {}; by "
                "the epochs themselves it would be {}",
                covered_, wanted(), figure(static_cast<double>(covered_)));
        }
        return result;
    }

private:
    std::int64_t wanted() const {
        return (static_cast<std::int64_t>(measurement_.train) - measurement_.warmup) * devices_;
    }

    std::int64_t devices_;
    std::int64_t current_ = 0;  // iteration that the last line told
    std::int64_t stride_ = 0;   // iterations of an epoch, as the first line tells them
    std::int64_t counted_ = 0;  // epoch times in the range
    std::int64_t covered_ = 0;  // their iterations
    double milliseconds_ = 0;
    bool passed_ = false;  // an iteration behind the range has been told
};

}  // namespace

std::unique_ptr<RangeAggregator> makeDurationAggregator(const Format& format, const MeasurementRange& range,
                                                        const LineRange& span) {
    return std::make_unique<DurationAggregator>(format, range, span);
}

std::unique_ptr<RangeAggregator> makeEpochAggregator(const Format& format, const MeasurementRange& range,
                                                     std::int64_t devices) {
    return std::make_unique<EpochAggregator>(format, range, devices);
}

}  // namespace dlperf::analysis
