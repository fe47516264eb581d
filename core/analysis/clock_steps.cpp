// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/clock_steps.h"

#include <algorithm>
#include <cstring>

namespace dlperf::analysis {
namespace {

// "2020-09-15 14:28:53.498443" and "1597933942.9863544", each field as wide as it ever is.
bool isPadded(std::string_view text, Clock clock) {
    constexpr std::string_view date = "0000-00-00 00:00:00";
    constexpr std::string_view seconds = "1000000000.";
    if (clock == Clock::EpochSeconds || clock == Clock::EpochSecondsThird) {
        return text.size() > seconds.size() && text[seconds.size() - 1] == '.' && text.front() != '-';
    }
    return text.size() > date.size() && text[4] == '-' && text[7] == '-' && text[10] == ' ' &&
           text[13] == ':' && text[16] == ':';
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
    const bool padded = stamp.text.size() <= text_.size() && isPadded(stamp.text, stamp.clock);
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
