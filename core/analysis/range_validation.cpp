// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/range_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/analysis/range_aggregator.h"

namespace dlperf::analysis {
namespace {

constexpr std::int64_t fewestLines = 20;  // of a range, before anything is said of its parts

constexpr std::size_t dateSize = 11;  // of "2020-09-15 14:28:53.498443", with the blank

// A padded text's, which may be the twenty-fifth hour.
bool isTimeOfDay(std::string_view text) {
    const bool isHour = text[11] < '2' || (text[11] == '2' && text[12] <= '3');
    return isHour && text[14] <= '5' && text[17] <= '5';
}

// Surely a stamp: a padded one with a date that every month has.
bool isDate(std::string_view text) {
    const auto within = [&](std::size_t at, std::string_view low, std::string_view high) {
        return text.substr(at, low.size()) >= low && text.substr(at, high.size()) <= high;
    };
    return within(5, "01", "12") && within(8, "01", "28") && isTimeOfDay(text);
}

}  // namespace

// The one before was a stamp: so is another one of its day.
bool ClockSteps::follows(const PrintedStamp& stamp) const {
    const std::string_view text = stamp.text;
    if (!stamp.isPadded || text.size() != size_ || std::memcmp(text.data(), text_.data(), size_) < 0) {
        return false;
    }
    return isEpoch(stamp.clock) ||
           (std::memcmp(text.data(), text_.data(), dateSize) == 0 ? isTimeOfDay(text) : isDate(text));
}

void ClockSteps::keep(std::string_view text) {
    std::memcpy(text_.data(), text.data(), text.size());
    size_ = text.size();
}

void ClockSteps::add(const PrintedStamp& stamp) {
    if (follows(stamp)) {
        return keep(stamp.text);
    }
    const auto now = stamp.read();
    if (!now) {
        return;
    }
    const std::string_view text(text_.data(), size_);
    const auto before = size_ > 0 ? PrintedStamp{text, text, stamp.clock}.read() : before_;
    if (before && secondsBetween(*before, *now, stamp.clock) < 0) {
        ++back_;
    }
    size_ = 0;
    before_ = now;
    const bool isPadded = stamp.isPadded && stamp.text.size() <= text_.size();
    if (isPadded && (isEpoch(stamp.clock) || isDate(stamp.text))) {
        keep(stamp.text);
    }
}

// Where every rank prints, the lines of an iteration come from several clocks; a time of day steps back at
// midnight.
RangeValidation::RangeValidation(const Format& format, const LineRange& span)
    : format_(&format),
      range_(span),
      judges_(span.last - span.first >= fewestLines),
      areMeans_(format.rule == RangeRule::BetweenMeans),
      arePerInterval_(format.rule == RangeRule::SumOfIntervals &&
                      format.quantity == Quantity::IntervalSeconds),
      stepsMean_(span.perRow == 1 && format.clock != Clock::TimeOfDay && format.clock != Clock::None) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i] = span.first + (span.last - span.first) * static_cast<std::int64_t>(i) / 4;
    }
}

double RangeValidation::Quarter::variance() const {
    const auto n = static_cast<double>(count);
    return std::max(0.0, squares / n - mean() * mean()) / n;
}

bool RangeValidation::wantsData(std::int64_t number) const {
    constexpr std::int64_t head = 4096;
    constexpr std::int64_t step = 64;
    const bool within = judges_ && number > range_.first && number <= range_.last;
    return within && format_->data.printed() && (number - range_.first <= head || number % step == 0);
}

void RangeValidation::add(std::int64_t number, const CountedLine& line) {
    const std::int64_t before = std::exchange(newest_, number);
    if (!judges_ || number < range_.first || number > range_.last) {
        return;
    }
    if (line.value && std::isfinite(*line.value) && number > range_.first && !areMeans_) {
        const bool isPart = arePerInterval_ && number > before;
        const auto iterations = static_cast<double>(isPart ? number - before : 1);
        quarters_.at(quarterOf(number)).add(*line.value / iterations);
    }
    if (format_->clock != Clock::None) {
        addStamp(number, line.stamp);
    }
}

void RangeValidation::addData(const std::optional<double>& value, const std::optional<double>& data) {
    if (!data || !std::isfinite(*data) || !value || *data < 0 || !(*value > 0)) {
        return;
    }
    waited_ += *data;
    worked_ += *value;
}

std::size_t RangeValidation::quarterOf(std::int64_t number) const {
    return number <= places_[1] ? 0 : number <= places_[2] ? 1 : number <= places_[3] ? 2 : 3;
}

void RangeValidation::addStamp(std::int64_t number, const PrintedStamp& stamp) {
    if (stepsMean_) {
        steps_.add(stamp);
    }
    for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
        if (number != places_[mark]) {
            continue;
        }
        if (const auto read = stamp.read()) {
            marks_[mark] = read;
        }
    }
}

// By how much the last quarter's iterations take longer than the first's; nothing where chance may do that.
std::optional<double> RangeValidation::driftOfValues() const {
    constexpr std::int64_t fewest = fewestLines / 4;
    constexpr double errors = 3;
    const Quarter& first = quarters_.front();
    const Quarter& last = quarters_.back();
    if (first.count < fewest || last.count < fewest || first.mean() <= 0 || last.mean() <= 0) {
        return std::nullopt;
    }
    const double error = std::sqrt(first.variance() + last.variance());
    if (std::abs(last.mean() - first.mean()) < errors * error) {
        return std::nullopt;
    }
    return isSpeed(format_->quantity) ? first.mean() / last.mean() - 1 : last.mean() / first.mean() - 1;
}

std::optional<double> RangeValidation::driftOfStamps() const {
    if (format_->rule != RangeRule::BetweenStamps || !marks_[0] || !marks_[1] || !marks_[3] || !marks_[4]) {
        return std::nullopt;
    }
    const double first = secondsBetween(*marks_[0], *marks_[1], format_->clock);
    const double last = secondsBetween(*marks_[3], *marks_[4], format_->clock);
    // The quarters' lengths differ by a line where they do not divide.
    const std::int64_t length = range_.last - range_.first;
    const std::int64_t firstLines = length / 4;
    const std::int64_t lastLines = length - length * 3 / 4;
    if (first <= 0 || last <= 0) {
        return std::nullopt;
    }
    return (last / static_cast<double>(lastLines)) / (first / static_cast<double>(firstLines)) - 1;
}

std::vector<Finding> RangeValidation::findings() const {
    constexpr double mostDrift = 0.05;
    constexpr double mostWaiting = 0.1;
    std::vector<Finding> findings;
    const auto drift = format_->value.printed() ? driftOfValues() : driftOfStamps();
    if (drift && std::abs(*drift) > mostDrift) {
        const double by = std::abs(*drift) * 100;
        findings.push_back(
            {"drift",
             *drift > 0
                 ? fmt::format(
                       "the iterations of the measurement range's last quarter take {:.0f} % longer than "
                       "those of its first: another range would give another figure",
                       by)
                 : fmt::format(
                       "the iterations of the measurement range's last quarter take {:.0f} % less than "
                       "those of its first, as while a trainer warms up: a longer warmup "
                       "would give another figure",
                       by),
             {}});
    }
    if (worked_ > 0 && waited_ / worked_ > mostWaiting) {
        findings.push_back(
            {"data-share",
             fmt::format(
                 "{:.0f} % of the measurement range goes into waiting for data: the figure is that of "
                 "the data loading as much as of the devices",
                 waited_ / worked_ * 100),
             {}});
    }
    if (steps_.back() > 0) {
        findings.push_back(
            {"clock-steps-back-within",
             fmt::format("the clock steps back {} time{} within the measurement range, so the figure holds a "
                         "time that nobody knows",
                         steps_.back(), steps_.back() == 1 ? "" : "s"),
             {}});
    }
    return findings;
}

}  // namespace dlperf::analysis
