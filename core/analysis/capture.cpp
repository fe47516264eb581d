// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/capture.h"

#include <algorithm>
#include <array>

namespace dlperf::analysis {
namespace {

// The word right behind the number, or behind blanks: a unit, if it is one. Letters beyond ASCII are some.
std::string_view unitAt(std::string_view rest) {
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    };
    const auto* const start = std::find_if_not(rest.begin(), rest.end(), isBlank);
    const auto* const end = std::find_if_not(start, rest.end(), isLetter);
    return {start, static_cast<std::size_t>(end - start)};
}

template <std::size_t count>
bool isOneOf(std::string_view word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isOtherUnit(std::string_view word, TimeUnit unit) {
    constexpr std::array<std::string_view, 5> seconds{"s", "sec", "secs", "second", "seconds"};
    constexpr std::array<std::string_view, 5> milliseconds{"ms", "msec", "msecs", "millisecond",
                                                           "milliseconds"};
    constexpr std::array<std::string_view, 14> others{"us", "usec", "\u00b5s", "\u03bcs", "ns",
                                                      "m",  "min",  "mins",    "minute",  "minutes",
                                                      "h",  "hr",   "hour",    "hours"};
    return unit != TimeUnit::None &&
           (isOneOf(word, others) ||
            (unit == TimeUnit::Seconds ? isOneOf(word, milliseconds) : isOneOf(word, seconds)));
}

bool isAnyUnit(std::string_view word) {
    return isOtherUnit(word, TimeUnit::Seconds) || isOtherUnit(word, TimeUnit::Milliseconds);
}

// Names the number behind it, and is no unit of the one before: "0.25 min 0.20", "0.25 h=128", but not
// "2 min 30 s" or "500 ms: loss 2".
bool namesNext(std::string_view word, std::string_view rest) {
    constexpr std::array<std::string_view, 4> names{"h", "m", "min", "s"};
    if (rest.empty() || !isBlank(rest.front()) || !isOneOf(word, names)) {
        return false;
    }
    std::string_view behind = rest.substr(static_cast<std::size_t>(word.data() + word.size() - rest.data()));
    const bool isAssigned = behind.starts_with('=') || behind.starts_with(':');
    if (!isAssigned && (behind.empty() || !isBlank(behind.front()))) {
        return false;
    }
    behind.remove_prefix(1);
    const std::string_view number = numberAt(behind);
    const auto end = static_cast<std::size_t>(number.data() + number.size() - behind.data());
    return !number.empty() && (isAssigned || !isAnyUnit(unitAt(behind.substr(end))));
}

bool hasOtherUnit(std::string_view rest, TimeUnit unit) {
    const std::string_view word = unitAt(rest);
    return isOtherUnit(word, unit) && !namesNext(word, rest);
}

}  // namespace

std::optional<std::string_view> wordOf(std::string_view line, int number) {
    for (int before = 1; before < number; ++before) {
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos) {
            return std::nullopt;
        }
        line.remove_prefix(blank + 1);
    }
    return line.substr(0, line.find(' '));
}

std::optional<std::string_view> groupIn(const RE2* pattern, std::string_view text) {
    re2::StringPiece groups[2];
    if (pattern == nullptr ||
        !pattern->Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED, groups, 2) ||
        groups[1].data() == nullptr) {  // it is in a branch that was not taken
        return std::nullopt;
    }
    return std::string_view(groups[1].data(), groups[1].size());
}

RE2::Options byBytes() {
    RE2::Options options(RE2::Latin1);
    options.set_log_errors(false);
    return options;
}

RE2::Options patternOptions() {
    RE2::Options options = byBytes();
    options.set_max_mem(1 << 20);
    return options;
}

CaptureReader::CaptureReader(const Capture& capture, TimeUnit unit)
    : capture_(capture),
      after_(capture.after),
      isPrinted_(capture.printed()),
      isOpen_(capture.before.empty() && capture.pattern.empty() && capture.word == 0),
      unit_(unit) {
    if (!capture.pattern.empty()) {
        pattern_ = std::make_unique<const RE2>(capture.pattern, patternOptions());
    }
}

std::optional<std::string_view> CaptureReader::text(std::string_view line) const {
    if (capture_.word > 0) {
        return wordOf(line, capture_.word);
    }
    const std::size_t at = capture_.last ? after_.last(line) : after_.first(line);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = line.substr(at + after_.text().size());
    if (pattern_ == nullptr) {
        return rest;
    }
    re2::StringPiece groups[2];
    if (!pattern_->Match({rest.data(), rest.size()}, 0, rest.size(), RE2::ANCHOR_START, groups, 2)) {
        return std::nullopt;
    }
    return std::string_view(groups[1].data(), groups[1].size());
}

bool CaptureReader::isDoubtful(const Found& found) const {
    return isOpen_ && !found.number.empty() &&
           (goesOn(found.number, found.rest) || hasOtherUnit(found.rest, unit_));
}

bool CaptureReader::endsWell(std::string_view rest) const {
    if (isOpen_) {
        return true;
    }
    // A pattern's group and a word without more are numbers as a whole.
    if (capture_.before.empty()) {
        const bool whole = pattern_ != nullptr || capture_.word > 0;
        return !whole || rest.find_first_not_of(" \t") == std::string_view::npos;
    }
    for (std::size_t blanks = 0;; ++blanks) {
        if (rest.substr(blanks).starts_with(capture_.before)) {
            return true;
        }
        if (blanks >= rest.size() || !isBlank(rest[blanks])) {
            return false;
        }
    }
}

CaptureReader::Found CaptureReader::find(std::string_view line,
                                         std::string_view (*numberOf)(std::string_view)) const {
    const auto found = printed() ? text(line) : std::nullopt;
    if (!found) {
        return {};
    }
    const std::string_view number = numberOf(*found);
    const char* const numberEnd = number.data() + number.size();
    return {number, {numberEnd, static_cast<std::size_t>(found->data() + found->size() - numberEnd)}};
}

std::string_view CaptureReader::number(std::string_view line) const {
    const Found found = find(line, numberAt);
    return endsWell(found.rest) && !isDoubtful(found) ? found.number : std::string_view();
}

std::string_view CaptureReader::integer(std::string_view line) const {
    const Found found = find(line, integerAt);
    return endsWell(found.rest) ? found.number : std::string_view();
}

std::string_view CaptureReader::doubtful(std::string_view line) const {
    constexpr std::size_t most = 24;
    const Found found = find(line, numberAt);
    if (!isDoubtful(found)) {
        return {};
    }
    const std::string_view unit = unitAt(found.rest);
    const std::size_t word = std::min(found.rest.find_first_of(" \t"), found.rest.size());
    const auto end = std::max(word, static_cast<std::size_t>(unit.data() + unit.size() - found.rest.data()));
    return {found.number.data(), found.number.size() + std::min(end, most)};
}

bool CaptureReader::isUnknown(std::string_view line) const {
    const Found found = find(line, numberAt);
    return found.number.empty() && found.rest.starts_with('?');
}

bool CaptureReader::followsShape() const {
    return pattern_ == nullptr && !hasDigit(capture_.after) && !hasDigit(capture_.before);
}

}  // namespace dlperf::analysis
