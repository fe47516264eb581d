// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/clock_steps.h"

#include <algorithm>
#include <cstring>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

// "2020-09-15 14:28:53.498443": each field as wide as it ever is, and a date that every month has.
bool isPaddedDate(std::string_view text) {
    constexpr std::string_view layout = "0000-00-00 00:00:00";
    if (text.size() <= layout.size() || isDigit(text[layout.size()])) return false;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout[i] == '0' ? !isDigit(text[i]) : text[i] != layout[i]) return false;
    }
    const auto within = [&](std::size_t at, std::string_view low, std::string_view high) {
        return text.substr(at, low.size()) >= low && text.substr(at, high.size()) <= high;
    };
    return within(5, "01", "12") && within(8, "01", "28") && within(11, "00", "23") && text[14] <= '5' &&
           text[17] <= '5';
}

// Surely a stamp, and of a layout in which a later one is a higher text.
bool isPadded(const PrintedStamp& stamp) {
    constexpr std::string_view seconds = "1000000000.";
    if (stamp.clock == Clock::EpochSeconds || stamp.clock == Clock::EpochSecondsThird) {
        return stamp.isSure && stamp.text.size() > seconds.size() && stamp.text[seconds.size() - 1] == '.';
    }
    return isPaddedDate(stamp.text);
}

}  // namespace

bool ClockSteps::follows(std::string_view text) const {
    return text.size() == size_ && std::memcmp(text.data(), text_.data(), size_) >= 0;
}

void ClockSteps::keep(std::string_view text) {
    std::memcpy(text_.data(), text.data(), text.size());
    size_ = text.size();
}

void ClockSteps::add(const PrintedStamp& stamp) {
    const bool padded = stamp.text.size() <= text_.size() && isPadded(stamp);
    if (padded && follows(stamp.text)) return keep(stamp.text);
    const auto now = stamp.read();
    if (!now) return;
    const std::string_view text(text_.data(), size_);
    const auto before = size_ > 0 ? PrintedStamp{text, text, stamp.clock}.read() : before_;
    if (before && secondsBetween(*before, *now, stamp.clock) < 0) ++back_;
    size_ = 0;
    before_ = now;
    if (padded) keep(stamp.text);
}

}  // namespace dlperf::analysis
