// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/window_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dlperf::analysis {
namespace {

constexpr std::int64_t fewestLines = 20;  // of a window, before anything is said of its parts

}  // namespace

// Where every rank prints, the lines of an iteration come from several clocks; a time of day steps back at
// midnight.
WindowHealth::WindowHealth(const Format& format, const WindowSpan& span)
    : format_(&format),
      span_(span),
      judges_(span.last - span.first >= fewestLines),
      stepsMean_(span.perRow == 1 && format.clock != Clock::TimeOfDay && format.clock != Clock::None) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i] = span.first + (span.last - span.first) * static_cast<std::int64_t>(i) / 4;
    }
}

double WindowHealth::Quarter::variance() const {
    const auto n = static_cast<double>(count);
    return std::max(0.0, squares / n - mean() * mean()) / n;
}

bool WindowHealth::isSpeed() const {
    return format_->quantity == Quantity::Speed || format_->quantity == Quantity::NodeSpeed ||
           format_->quantity == Quantity::DeviceBatches;
}

bool WindowHealth::wantsData(std::int64_t number) const {
    constexpr std::int64_t head = 4096;
    constexpr std::int64_t step = 64;
    const bool within = judges_ && number > span_.first && number <= span_.last;
    return within && format_->data.printed() && (number - span_.first <= head || number % step == 0);
}

void WindowHealth::add(std::int64_t number, const CountedLine& line) {
    if (!judges_ || number < span_.first || number > span_.last) return;
    if (line.value && std::isfinite(*line.value) && number > span_.first) {
        quarters_.at(quarterOf(number)).add(*line.value);
    }
    if (format_->clock != Clock::None) addStamp(number, line.stamp);
}

void WindowHealth::addData(const std::optional<double>& value, const std::optional<double>& data) {
    if (!data || !std::isfinite(*data) || !value || *data < 0 || !(*value > 0)) return;
    waited_ += *data;
    worked_ += *value;
}

std::size_t WindowHealth::untilMark(std::int64_t number, std::size_t count) const {
    if (!judges_ || number > span_.last) return count;
    const std::int64_t mark = *std::lower_bound(places_.begin(), places_.end(), number);
    return std::min(count, static_cast<std::size_t>(mark - number));
}

void WindowHealth::add(std::int64_t number, const SteadyLines& lines, const LineScanner& scanner) {
    if (!judges_ || number < span_.first || number > span_.last) return;
    if (lines.values != nullptr) {
        Quarter& quarter = quarters_.at(quarterOf(number));
        for (std::size_t i = 0; i < lines.count; ++i) {
            quarter.add(lines.values[i]);
        }
    }
    if (stepsMean_) {
        lines.forEach([this](const SteadyStretch& stretch, std::size_t i) {
            steps_.add(stretch.stampOf(i, format_->clock));
        });
    }
    if (!format_->data.printed()) return;
    for (std::size_t i = 0; i < lines.count; ++i) {
        if (!wantsData(number + static_cast<std::int64_t>(i))) continue;
        addData(lines.values == nullptr ? std::nullopt : std::optional(lines.values[i]),
                scanner.data(lines.textOf(i)));
    }
}

std::size_t WindowHealth::quarterOf(std::int64_t number) const {
    return number <= places_[1] ? 0 : number <= places_[2] ? 1 : number <= places_[3] ? 2 : 3;
}

void WindowHealth::addStamp(std::int64_t number, const PrintedStamp& stamp) {
    if (stepsMean_) steps_.add(stamp);
    for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
        if (number != places_[mark]) continue;
        if (const auto read = stamp.read()) marks_[mark] = read;
    }
}

// By how much the last quarter's iterations take longer than the first's; nothing where chance may do that.
std::optional<double> WindowHealth::driftOfValues() const {
    constexpr std::int64_t fewest = fewestLines / 4;
    constexpr double errors = 3;
    const Quarter& first = quarters_.front();
    const Quarter& last = quarters_.back();
    if (first.count < fewest || last.count < fewest || first.mean() <= 0 || last.mean() <= 0) {
        return std::nullopt;
    }
    const double error = std::sqrt(first.variance() + last.variance());
    if (std::abs(last.mean() - first.mean()) < errors * error) return std::nullopt;
    return isSpeed() ? first.mean() / last.mean() - 1 : last.mean() / first.mean() - 1;
}

std::optional<double> WindowHealth::driftOfStamps() const {
    if (format_->rule != WindowRule::BetweenStamps || !marks_[0] || !marks_[1] || !marks_[3] || !marks_[4]) {
        return std::nullopt;
    }
    const double first = secondsBetween(*marks_[0], *marks_[1], format_->clock);
    const double last = secondsBetween(*marks_[3], *marks_[4], format_->clock);
    // The quarters' lengths differ by a line where they do not divide.
    const std::int64_t length = span_.last - span_.first;
    const std::int64_t firstLines = length / 4;
    const std::int64_t lastLines = length - length * 3 / 4;
    if (first <= 0 || last <= 0) return std::nullopt;
    return (last / static_cast<double>(lastLines)) / (first / static_cast<double>(firstLines)) - 1;
}

std::vector<Finding> WindowHealth::findings() const {
    constexpr double mostDrift = 0.05;
    constexpr double mostWaiting = 0.1;
    std::vector<Finding> findings;
    const auto drift = format_->value.printed() ? driftOfValues() : driftOfStamps();
    if (drift && std::abs(*drift) > mostDrift) {
        findings.push_back(
            {"drift",
             fmt::format("the iterations of the window's last quarter take {:.0f} % {} than those "
                         "of its first: {}; a longer warmup, or cooler devices, would give another "
                         "figure",
                         std::abs(*drift) * 100, *drift > 0 ? "longer" : "less",
                         *drift > 0 ? "the devices may throttle" : "the trainer still warms up"),
             {}});
    }
    if (worked_ > 0 && waited_ / worked_ > mostWaiting) {
        findings.push_back(
            {"data-share",
             fmt::format("{:.0f} % of the window goes into waiting for data: the figure is that of "
                         "the data loading as much as of the devices",
                         waited_ / worked_ * 100),
             {}});
    }
    if (steps_.back() > 0) {
        findings.push_back(
            {"clock-steps-back-within",
             fmt::format("the clock steps back {} time{} within the window, so the figure holds a "
                         "time that nobody knows",
                         steps_.back(), steps_.back() == 1 ? "" : "s"),
             {}});
    }
    return findings;
}

}  // namespace dlperf::analysis
