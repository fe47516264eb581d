// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/window_meter.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace dlperf::analysis {
namespace {

double roundedAs(double value, const std::optional<FigureRounding>& rounding) {
    return rounding ? rounded(value, rounding->decimals, rounding->rule) : value;
}

}  // namespace

WindowMeter::WindowMeter(const Format& format, Window window) : format_(&format), window_(window) {}

std::string WindowMeter::add(std::int64_t number, const CountedLine& line) {
    std::string problem =
        format_->rule == WindowRule::BetweenStamps ? addStamp(number, line) : addDuration(number, line);
    last_ = number;
    return problem;
}

std::string WindowMeter::addDuration(std::int64_t number, const CountedLine& line) {
    if (!line.duration || !std::isfinite(*line.duration)) return "has no duration";
    if (format_->dropsLeadingDigits && !line.dlperfDuration)
        return "has no duration that the extractor can read";
    if (*line.duration < 0) return "has a negative duration";
    if (*line.duration == 0 && format_->rule == WindowRule::MeanOfSpeeds) return "has a duration of zero";
    std::string problem;
    const auto next = window_.warmup + 1 + static_cast<std::int64_t>(durations_.size());
    if (number <= last_ && !reached()) {
        problem = fmt::format("counts anew from {} behind {}", number, last_);
        durations_.clear();
        dlperfSeconds_ = 0;
        misread_ = 0;
    } else if (number > next && number <= window_.train) {
        problem = fmt::format("is iteration {}, but {} is missing", number, next);
    }
    if (number == window_.warmup + 1 + static_cast<std::int64_t>(durations_.size()) &&
        number <= window_.train) {
        durations_.push_back(*line.duration);
        const double dlperf = line.dlperfDuration.value_or(*line.duration);
        dlperfSeconds_ += dlperf;
        misread_ += dlperf != *line.duration ? 1 : 0;
    }
    return problem;
}

std::string WindowMeter::addStamp(std::int64_t number, const CountedLine& line) {
    const bool isStart = number == window_.warmup;
    const bool isEnd = number == window_.train;
    if (!line.stamp && (isStart || isEnd || format_->everyLineStamped))
        return "has no time stamp that can be read";
    if (isStart) {
        start_ = lastStart_ = line.stamp;
    }
    if (isEnd) {
        if (!start_ && format_->stopsAtEnd) {
            return fmt::format("ends the window, but there is no iteration {} before it", window_.warmup);
        }
        lastEnd_ = line.stamp;
        if (start_) pass_.emplace(*start_, *line.stamp);
        start_.reset();
    }
    return {};
}

bool WindowMeter::reached() const {
    if (measured() <= 0) return false;
    if (format_->rule == WindowRule::BetweenStamps) return pass_.has_value();
    return durations_.size() == static_cast<std::size_t>(measured());
}

double WindowMeter::figure(double globalBatchSize, double seconds) const {
    const double count = measured();
    const double speed = format_->quotient == Quotient::BatchOverMean ? globalBatchSize / (seconds / count)
                                                                      : globalBatchSize * count / seconds;
    return roundedAs(speed, format_->figure);
}

double WindowMeter::meanSpeed(double globalBatchSize) const {
    std::vector<double> speeds(durations_.size());
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        speeds[i] = roundedAs(globalBatchSize / durations_[i], format_->lineSpeed);
    }
    return roundedAs(numpyMean(speeds), format_->figure);
}

Measured WindowMeter::measure(double globalBatchSize) const {
    if (!reached()) return shortRun(globalBatchSize);
    Measured result = byRule(globalBatchSize);
    if (result.value && !std::isfinite(*result.value)) {
        result = {};
        result.problem = "no-time";
        result.explanation = "the times in the window give no finite speed";
    }
    return result;
}

Measured WindowMeter::byRule(double globalBatchSize) const {
    if (format_->rule == WindowRule::SumOfDurations) return fromDurations(globalBatchSize);
    if (format_->rule == WindowRule::BetweenStamps) return fromStamps(globalBatchSize);
    Measured result;
    result.value = meanSpeed(globalBatchSize);
    return result;
}

Measured WindowMeter::fromDurations(double globalBatchSize) const {
    Measured result;
    const double seconds = std::accumulate(durations_.begin(), durations_.end(), 0.0);
    result.value = figure(globalBatchSize, seconds);
    if (misread_ > 0 && dlperfSeconds_ > 0 && figure(globalBatchSize, dlperfSeconds_) != result.value) {
        result.dlperfValue = figure(globalBatchSize, dlperfSeconds_);
        result.problem = "leading-digit";
        result.explanation = fmt::format(
            "DLPerf's extractor misreads {} duration{} in the window (it reads one digit before the point) "
            "and gives "
            "{}; the right figure is {}",
            misread_, misread_ == 1 ? "" : "s", *result.dlperfValue, *result.value);
    }
    return result;
}

Measured WindowMeter::fromStamps(double globalBatchSize) const {
    Measured result;
    const double seconds = secondsBetween(pass_->first, pass_->second, format_->clock);
    const double dlperfSeconds = secondsBetween(*lastStart_, *lastEnd_, format_->clock);
    if (seconds > 0) result.value = figure(globalBatchSize, seconds);
    if (dlperfSeconds != 0 && figure(globalBatchSize, dlperfSeconds) != result.value) {
        result.dlperfValue = figure(globalBatchSize, dlperfSeconds);
    }
    const std::string dlperf =
        result.dlperfValue ? fmt::format("gives {}", *result.dlperfValue) : std::string("divides by zero");
    if (!result.value) {
        result.problem = "clock-steps-back";
        result.explanation = fmt::format(
            "the clock does not go forward between iterations {} and {} ({} s), so there is no speed; "
            "DLPerf's "
            "extractor {}",
            window_.warmup, window_.train, seconds, dlperf);
    } else if (result.dlperfValue) {
        result.problem = "second-pass";
        result.explanation = fmt::format(
            "the iterations of the window repeat; the figure is that of the last whole pass, DLPerf's "
            "extractor "
            "mixes two and {}",
            dlperf);
    }
    return result;
}

Measured WindowMeter::shortRun(double globalBatchSize) const {
    Measured result;
    result.problem = "short-window";
    result.explanation =
        fmt::format("the log does not hold the whole window, iterations {} to {}, and ends at {}",
                    window_.warmup, window_.train, last_);
    switch (format_->shortRun) {
        case ShortRun::Zero:
            result.dlperfValue = 0;
            break;
        case ShortRun::MeanOfPart:
            result.dlperfValue = meanSpeed(globalBatchSize);
            break;
        case ShortRun::Aborts:
            result.explanation += "; DLPerf's extractor aborts here";
            break;
        case ShortRun::Unknown:
            break;
    }
    if (result.dlperfValue) {
        result.explanation += fmt::format("; DLPerf's extractor gives {}", *result.dlperfValue);
    }
    return result;
}

}  // namespace dlperf::analysis
