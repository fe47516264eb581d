// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/window_health.h"

#include <fmt/format.h>

#include <cmath>

namespace dlperf::analysis {
namespace {

constexpr std::int64_t fewestLines = 20;  // of a window, before anything is said of its parts

}  // namespace

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
    return span_.holds(number) && (number - span_.first <= head || number % step == 0);
}

void WindowHealth::add(std::int64_t number, const CountedLine& line, const std::optional<double>& data) {
    if (number < span_.first || number > span_.last || span_.last - span_.first < fewestLines) return;
    if (line.value && std::isfinite(*line.value) && number > span_.first) addValue(number, *line.value);
    if (line.stamp) addStamp(number, *line.stamp);
    if (data && std::isfinite(*data) && line.value && *data >= 0 && *line.value > 0) {
        waited_ += *data;
        worked_ += *line.value;
    }
}

void WindowHealth::addValue(std::int64_t number, double value) {
    const auto quarter =
        static_cast<std::size_t>((number - span_.first - 1) * 4 / (span_.last - span_.first));
    Quarter& sums = quarters_.at(quarter);
    ++sums.count;
    sums.sum += value;
    sums.squares += value * value;
}

void WindowHealth::addStamp(std::int64_t number, const Stamp& stamp) {
    // Where every rank prints, the lines of an iteration come from several clocks.
    const bool back = previous_ && span_.perRow == 1 && secondsBetween(*previous_, stamp, format_->clock) < 0;
    // A time of day does that at midnight.
    if (back && format_->clock != Clock::TimeOfDay) ++stepsBack_;
    previous_ = stamp;
    const std::int64_t length = span_.last - span_.first;
    for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
        const std::int64_t place = span_.first + length * static_cast<std::int64_t>(mark) / 4;
        if (number == place) marks_[mark] = stamp;
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
    if (stepsBack_ > 0) {
        findings.push_back(
            {"clock-steps-back-within",
             fmt::format("the clock steps back {} time{} within the window, so the figure holds a "
                         "time that nobody knows",
                         stepsBack_, stepsBack_ == 1 ? "" : "s"),
             {}});
    }
    return findings;
}

}  // namespace dlperf::analysis
