// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_scanner.h"

#include <algorithm>
#include <array>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

std::vector<TextFinder> findersOf(const std::vector<std::string>& texts) {
    std::vector<TextFinder> finders;
    finders.reserve(texts.size());
    for (const std::string& text : texts) {
        finders.emplace_back(text);
    }
    return finders;
}

bool stands(const TextFinder& text, std::string_view line) {
    return text.first(line) != std::string_view::npos;
}

constexpr auto blanks = [] {
    std::array<bool, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = isBlank(static_cast<char>(i));
    }
    return table;
}();

// Behind `from`, the next place that follows a digit and is a blank or the line's end.
std::size_t nextNumberEnd(std::string_view line, std::size_t from) {
    for (std::size_t i = from + 1; i < line.size(); ++i) {
        if (blanks[static_cast<unsigned char>(line[i])] && isDigit(line[i - 1])) return i;
    }
    const bool lineEnds = from < line.size() && isDigit(line.back());
    return lineEnds ? line.size() : std::string_view::npos;
}

}  // namespace

std::optional<double> oneDigitDuration(std::string_view line) {
    for (std::size_t end = nextNumberEnd(line, 0); end != std::string_view::npos;
         end = nextNumberEnd(line, end)) {
        // The extractor takes the first place where a match begins: the longest one that ends here.
        for (std::size_t digits = 3; digits >= 1; --digits) {
            if (end < digits + 2 || !isDigit(line[end - digits - 2])) continue;
            const std::string_view tail = line.substr(end - digits, digits);
            if (std::all_of(tail.begin(), tail.end(), isDigit)) {
                return toNumber(line.substr(end - digits - 2, digits + 2));
            }
        }
    }
    return std::nullopt;
}

LineScanner::LineScanner(const Format& format)
    : format_(&format),
      recognisedBy_(findersOf(format.recognisedBy)),
      oddText_(format.oddText),
      index_(format.index),
      indexFactor_(format.indexFactor),
      value_(format.value),
      loss_(format.loss),
      data_(format.data) {
    for (const std::vector<std::string>& texts : format.markers) {
        markers_.push_back(findersOf(texts));
    }
}

bool LineScanner::counts(std::string_view line) const {
    if (format_->markerStartsLine) return line.starts_with(format_->markers.front().front());
    return std::any_of(markers_.begin(), markers_.end(), [&](const Texts& texts) {
        return std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return stands(text, line); });
    });
}

CountedLine LineScanner::read(std::string_view line, bool withDetails) const {
    CountedLine counted;
    counted.index = index_.integer(line);
    if (counted.index && indexFactor_.printed()) {
        constexpr std::int64_t highest = 1'000'000'000;
        const auto factor = indexFactor_.integer(line);
        const bool small = factor && *factor < highest && *counted.index < highest;
        counted.index = small ? std::optional(*counted.index * *factor) : std::nullopt;
    }
    counted.value = value_.number(line);
    if (counted.value && format_->valueRounding) {
        counted.value =
            rounded(*counted.value, format_->valueRounding->decimals, format_->valueRounding->rule);
    }
    if (format_->dropsLeadingDigits) counted.dlperfValue = oneDigitDuration(line);
    counted.stamp = readStamp(line, format_->clock);
    if (!withDetails) return counted;
    counted.data = data_.number(line);
    counted.loss = loss_.number(line);
    return counted;
}

bool LineScanner::isOdd(std::string_view line) const {
    return stands(oddText_, line);
}

bool LineScanner::isRecognised(std::string_view line) const {
    return recognisedBy_.empty() || std::any_of(recognisedBy_.begin(), recognisedBy_.end(),
                                                [&](const auto& text) { return stands(text, line); });
}

}  // namespace dlperf::analysis
