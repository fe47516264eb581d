// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/stamp.h"

#include <array>
#include <chrono>
#include <cmath>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Takes lowest to highest digits from the front of the text.
std::optional<int> takeDigits(std::string_view& text, std::size_t lowest, std::size_t highest) {
    std::size_t count = 0;
    int value = 0;
    while (count < highest && count < text.size() && isDigit(text[count])) {
        value = value * 10 + (text[count] - '0');
        ++count;
    }
    if (count < lowest) return std::nullopt;
    text.remove_prefix(count);
    return value;
}

bool takeChar(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

// 1 to 6 digits with a dot are microseconds filled up from the right; with a comma the first 3 count.
std::optional<int> takeFraction(std::string_view& text, Clock clock) {
    const std::size_t lowest = clock == Clock::DateTimeDot ? 1 : 3;
    const std::size_t highest = clock == Clock::DateTimeDot ? 6 : 3;
    const std::size_t before = text.size();
    auto value = takeDigits(text, lowest, highest);
    for (std::size_t digits = before - text.size(); value && digits < 6; ++digits) {
        *value *= 10;
    }
    return value;
}

// "2020-09-15 14:28:53.498443" at the front.
std::optional<Stamp> dateTimeAt(std::string_view text, Clock clock) {
    std::array<int, 6> fields{};
    constexpr std::array<char, 6> separators{'-', '-', ' ', ':', ':', '\0'};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto value = takeDigits(text, i == 0 ? 4 : 1, i == 0 ? 4 : 2);
        const char separator = i < 5 ? separators[i] : (clock == Clock::DateTimeDot ? '.' : ',');
        if (!value || !takeChar(text, separator)) return std::nullopt;
        fields[i] = *value;
    }
    const auto micros = takeFraction(text, clock);
    using namespace std::chrono;
    const year_month_day date{year{fields[0]}, month{static_cast<unsigned>(fields[1])},
                              day{static_cast<unsigned>(fields[2])}};
    if (!micros || !date.ok() || fields[3] > 23 || fields[4] > 59 || fields[5] > 59) return std::nullopt;
    const auto time = sys_days{date} + hours{fields[3]} + minutes{fields[4]} + seconds{fields[5]};
    return Stamp{duration_cast<microseconds>(time.time_since_epoch()).count() + *micros, 0};
}

std::optional<Stamp> firstDateTime(std::string_view line, Clock clock) {
    constexpr std::size_t yearDigits = 4;
    for (std::size_t dash = line.find('-'); dash != std::string_view::npos; dash = line.find('-', dash + 1)) {
        if (dash < yearDigits || !isDigit(line[dash - 1])) continue;
        if (auto stamp = dateTimeAt(line.substr(dash - yearDigits), clock)) return stamp;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Stamp> readStamp(std::string_view line, Clock clock) {
    if (clock == Clock::None) return std::nullopt;
    if (clock != Clock::EpochSeconds) return firstDateTime(line, clock);
    const auto seconds = toNumber(line.substr(line.rfind(' ') + 1));
    if (!seconds || !std::isfinite(*seconds)) return std::nullopt;
    return Stamp{0, *seconds};
}

double secondsBetween(const Stamp& start, const Stamp& end, Clock clock) {
    if (clock == Clock::EpochSeconds) return end.epoch - start.epoch;
    return static_cast<double>(end.micros - start.micros) / 1e6;
}

}  // namespace dlperf::analysis
