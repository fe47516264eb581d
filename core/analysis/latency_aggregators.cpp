// SPDX-License-Identifier: Apache-2.0
// The rules of Wide & Deep: milliseconds of one iteration, lower is better.
#include <fmt/format.h>

#include <cmath>

#include "core/analysis/number.h"
#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

// The sum of the lines that count, and how many they are.
struct Sum {
    double value = 0;
    std::int64_t count = 0;

    void add(double more) {
        value += more;
        ++count;
    }
    double mean() const { return value / static_cast<double>(count); }
    double meanOfThousands() const { return 1000 * value / static_cast<double>(count); }
};

// All lines of the log count.
class EveryLineAggregator : public RangeAggregator {
public:
    using RangeAggregator::RangeAggregator;
    bool closed() const override { return false; }

protected:
    void follow(std::int64_t number) {
        last_ = number;
        if (mayResume()) {
            resumptions_.add(number);
        }
    }
    void noteTwice(Measured& result) const {
        noteResumptions(result, resumptions_, "the steps that it printed again count twice");
    }

    Resumptions resumptions_{0};
};

// HugeCTR: the mean of the printed intervals, but of the one that ends at the warmup, over their iterations.
class IntervalAggregator : public EveryLineAggregator {
public:
    using EveryLineAggregator::EveryLineAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        follow(number);
        if (!line.value || !std::isfinite(*line.value)) {
            return isWrong(problem, "has no time");
        }
        if (number != measurement_.warmup) {
            seconds_.add(*line.value);
        }
        return true;
    }
    bool reached() const override { return seconds_.count > 0 && last_ >= measurement_.train; }
    Measured measure(const RunShape& /*shape*/, const HeaderWords& words) const override {
        const auto every = words.find("loss_print_every_n_iter");
        const auto iterations = every == words.end() ? std::nullopt : toNumber(every->second);
        if (seconds_.count == 0 || !iterations || *iterations <= 0) {
            return shortRun(*format_, measurement_, last_, {});
        }
        Measured result;
        result.value = seconds_.meanOfThousands() / *iterations;
        noteTwice(result);
        return result;
    }

private:
    Sum seconds_;
};

// OneFlow's models: the mean of the printed latencies, but of the first and the last where there are more.
class LatencyListAggregator : public EveryLineAggregator {
public:
    using EveryLineAggregator::EveryLineAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        follow(number);
        if (!line.value || !std::isfinite(*line.value)) {
            return isWrong(problem, "has no latency");
        }
        if (!first_) {
            first_ = line.value;
            return true;
        }
        if (newest_) {
            inner_.add(*newest_);
        }
        newest_ = line.value;
        return true;
    }
    bool reached() const override { return first_ && last_ >= measurement_.train; }
    Measured measure(const RunShape& /*shape*/, const HeaderWords& /*words*/) const override {
        if (!first_) {
            return shortRun(*format_, measurement_, last_, {});
        }
        Measured result;
        if (inner_.count > 0) {
            result.value = inner_.mean();
        } else {
            result.value = newest_ ? (*first_ + *newest_) / 2 : *first_;
        }
        noteTwice(result);
        return result;
    }

private:
    std::optional<double> first_;
    std::optional<double> newest_;
    Sum inner_;
};

// OneFlow-Benchmark: the seconds of a thousand iterations are the milliseconds of one.
class ThousandAggregator : public EveryLineAggregator {
public:
    using EveryLineAggregator::EveryLineAggregator;

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override {
        const std::optional<Stamp> stamp = line.stamp.read();
        if (!stamp) {
            return isWrong(problem, "has no time stamp that can be read");
        }
        if (!start_) {  // what goes back to behind its end changes no figure
            start_.emplace(number, *stamp);
            resumptions_ = Resumptions(0, number + 1000);
        }
        follow(number);
        if (number == start_->first + 1000) {
            seconds_ = secondsBetween(start_->second, *stamp, format_->clock);
        }
        return true;
    }
    bool reached() const override { return seconds_.has_value(); }
    Measured measure(const RunShape& /*shape*/, const HeaderWords& /*words*/) const override {
        if (!seconds_) {
            return shortRun(*format_, measurement_, last_, {});
        }
        Measured result;
        result.value = seconds_;
        noteResumptions(result, resumptions_,
                        "the figure holds the time of the break, and of the steps that it did again");
        return result;
    }

private:
    std::optional<std::pair<std::int64_t, Stamp>> start_;
    std::optional<double> seconds_;
};

}  // namespace

std::unique_ptr<RangeAggregator> makeLatencyAggregator(const Format& format,
                                                       const MeasurementRange& measurement,
                                                       const LineRange& range) {
    if (format.rule == RangeRule::MeanOfIntervals) {
        return std::make_unique<IntervalAggregator>(format, measurement, range);
    }
    if (format.rule == RangeRule::MeanOfLatencies) {
        return std::make_unique<LatencyListAggregator>(format, measurement, range);
    }
    return std::make_unique<ThousandAggregator>(format, measurement, range);
}

}  // namespace dlperf::analysis
