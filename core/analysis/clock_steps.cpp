// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/clock_steps.h"

#include <cstring>

namespace dlperf::analysis {
namespace {

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
    if (follows(stamp)) return keep(stamp.text);
    const auto now = stamp.read();
    if (!now) return;
    const std::string_view text(text_.data(), size_);
    const auto before = size_ > 0 ? PrintedStamp{text, text, stamp.clock}.read() : before_;
    if (before && secondsBetween(*before, *now, stamp.clock) < 0) ++back_;
    size_ = 0;
    before_ = now;
    const bool isPadded = stamp.isPadded && stamp.text.size() <= text_.size();
    if (isPadded && (isEpoch(stamp.clock) || isDate(stamp.text))) keep(stamp.text);
}

}  // namespace dlperf::analysis
