// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/stamp.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/analysis/capture.h"
#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

// Takes lowest to highest digits from the front of the text.
std::optional<int> takeDigits(std::string_view& text, std::size_t lowest, std::size_t highest) {
    std::size_t count = 0;
    int value = 0;
    while (count < highest && count < text.size() && isDigit(text[count])) {
        value = value * 10 + (text[count] - '0');
        ++count;
    }
    if (count < lowest) {
        return std::nullopt;
    }
    text.remove_prefix(count);
    return value;
}

bool takeChar(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

// Digits behind the point are parts of a second, whatever their number.
std::optional<int> takeFraction(std::string_view& text, Clock clock) {
    const std::size_t lowest = clock == Clock::DateTimeMillis ? 3 : 1;
    const std::size_t highest = clock == Clock::DateTimeMillis ? 3 : 6;
    const std::size_t before = text.size();
    auto value = takeDigits(text, lowest, highest);
    for (std::size_t digits = before - text.size(); value && digits < 6; ++digits) {
        *value *= 10;
    }
    return value;
}

// The numbers between the separators, the last one's separator with them.
template <std::size_t count>
bool takeFields(std::string_view& text, const char (&separators)[count], std::array<int, count>& fields) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool isYear = separators[i] == '-' && i == 0;
        const auto value = takeDigits(text, isYear ? 4 : 1, isYear ? 4 : 2);
        if (!value || !takeChar(text, separators[i])) {
            return false;
        }
        fields[i] = *value;
    }
    return true;
}

std::optional<std::chrono::microseconds> timeOfDay(int hour, int minute, int second, int micros) {
    using namespace std::chrono;
    if (hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    return hours{hour} + minutes{minute} + seconds{second} + microseconds{micros};
}

// "2020-09-15 14:28:53.498443" at the front, which is taken away.
std::optional<Stamp> takeDateTime(std::string_view& text, Clock clock) {
    const char point = clock == Clock::DateTimeDot ? '.' : ',';
    const char separators[]{'-', '-', ' ', ':', ':', point};
    std::array<int, 6> fields{};
    if (!takeFields(text, separators, fields)) {
        return std::nullopt;
    }
    const auto micros = takeFraction(text, clock);
    using namespace std::chrono;
    const year_month_day date{year{fields[0]}, month{static_cast<unsigned>(fields[1])},
                              day{static_cast<unsigned>(fields[2])}};
    const auto time = timeOfDay(fields[3], fields[4], fields[5], micros.value_or(0));
    if (!micros || !time || !date.ok()) {
        return std::nullopt;
    }
    return Stamp{(sys_days{date}.time_since_epoch() + *time).count(), 0};
}

// "14:28:53.498443" at the front, which is taken away.
std::optional<Stamp> takeTime(std::string_view& text) {
    constexpr char separators[]{':', ':', '.'};
    std::array<int, 3> fields{};
    if (!takeFields(text, separators, fields)) {
        return std::nullopt;
    }
    const auto micros = takeFraction(text, Clock::TimeOfDay);
    const auto time = timeOfDay(fields[0], fields[1], fields[2], micros.value_or(0));
    return micros && time ? std::optional(Stamp{time->count(), 0}) : std::nullopt;
}

// A stamp's first mark is the dash behind its year, or the colon behind its hour.
char markOf(Clock clock) {
    return clock == Clock::TimeOfDay ? ':' : '-';
}

// Where a stamp with its first mark there would begin; npos if none can.
std::size_t startBefore(std::string_view line, std::size_t mark, Clock clock) {
    constexpr std::size_t yearDigits = 4;
    if (mark == 0 || !isDigit(line[mark - 1])) {
        return std::string_view::npos;
    }
    if (clock == Clock::TimeOfDay) {
        return mark > 1 && isDigit(line[mark - 2]) ? mark - 2 : mark - 1;
    }
    return mark < yearDigits ? std::string_view::npos : mark - yearDigits;
}

// The first place in the line, from a mark at or behind `from` on, where a stamp may begin.
struct Candidate {
    std::size_t start = std::string_view::npos;
    std::size_t mark = 0;
};
Candidate nextCandidate(std::string_view line, std::size_t from, Clock clock) {
    for (std::size_t mark = line.find(markOf(clock), from); mark != std::string_view::npos;
         mark = line.find(markOf(clock), mark + 1)) {
        const std::size_t start = startBefore(line, mark, clock);
        if (start != std::string_view::npos) {
            return {start, mark};
        }
    }
    return {};
}

std::optional<Stamp> take(std::string_view& text, Clock clock) {
    return clock == Clock::TimeOfDay ? takeTime(text) : takeDateTime(text, clock);
}

std::optional<Stamp> firstStamp(std::string_view line, Clock clock) {
    Candidate candidate = nextCandidate(line, 0, clock);
    while (candidate.start != std::string_view::npos) {
        std::string_view text = line.substr(candidate.start);
        if (const auto stamp = take(text, clock)) {
            return stamp;
        }
        candidate = nextCandidate(line, candidate.mark + 1, clock);
    }
    return std::nullopt;
}

std::optional<Stamp> epochOf(std::string_view word) {
    const auto seconds = toNumber(word);
    if (!seconds || !std::isfinite(*seconds)) {
        return std::nullopt;
    }
    return Stamp{0, *seconds};
}

}  // namespace

bool isEpoch(Clock clock) {
    return clock == Clock::EpochSeconds || clock == Clock::EpochSecondsThird;
}

std::string_view stampAt(std::string_view line, Clock clock) {
    if (clock == Clock::None) {
        return {};
    }
    if (clock == Clock::EpochSeconds) {
        return line.substr(line.rfind(' ') + 1);
    }
    if (clock == Clock::EpochSecondsThird) {
        return wordOf(line, 3).value_or(std::string_view());
    }
    const Candidate candidate = nextCandidate(line, 0, clock);
    if (candidate.start == std::string_view::npos) {
        return {};
    }
    const std::string_view from = line.substr(candidate.start);
    std::string_view rest = from;
    return take(rest, clock) ? from.substr(0, from.size() - rest.size()) : std::string_view();
}

bool isSureStamp(std::string_view text, Clock clock) {
    constexpr std::size_t longest = 32;  // far from the largest double
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return isDigit(c) || c == '.'; });
    return isEpoch(clock) && plain && text.size() <= longest && toNumber(text).has_value();
}

bool isPaddedStamp(std::string_view text, Clock clock) {
    const std::string_view layout = isEpoch(clock) ? "0000000000" : "0000-00-00 00:00:00";
    if (text.size() <= layout.size()) {
        return false;
    }
    const char behind = text[layout.size()];
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout[i] == '0' ? !isDigit(text[i]) : text[i] != layout[i]) {
            return false;
        }
    }
    return isEpoch(clock) ? behind == '.' && isSureStamp(text, clock) : !isDigit(behind);
}

std::optional<Stamp> PrintedStamp::read() const {
    if (clock == Clock::None) {
        return std::nullopt;
    }
    if (isEpoch(clock)) {
        return epochOf(text);
    }
    std::string_view rest = text;
    const auto stamp = take(rest, clock);
    return stamp ? stamp : firstStamp(line, clock);
}

double secondsBetween(const Stamp& start, const Stamp& end, Clock clock) {
    if (isEpoch(clock)) {
        return end.epoch - start.epoch;
    }
    return static_cast<double>(end.micros - start.micros) / 1e6;
}

}  // namespace dlperf::analysis
