// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_scanner.h"

#include <algorithm>
#include <array>

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

bool allStand(const std::vector<TextFinder>& texts, std::string_view line) {
    return std::all_of(texts.begin(), texts.end(),
                       [&](const TextFinder& text) { return stands(text, line); });
}

std::string blankDigits(std::string text) {
    std::replace_if(text.begin(), text.end(), isDigit, '0');
    return text;
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
        if (blanks[static_cast<unsigned char>(line[i])] && isDigit(line[i - 1])) {
            return i;
        }
    }
    const bool lineEnds = from < line.size() && isDigit(line.back());
    return lineEnds ? line.size() : std::string_view::npos;
}

void readAt(std::string_view line, const NumberPlace& place, std::optional<double>& number) {
    if (place.shape.whole > 0) {
        number.emplace(readNumber(line.data() + place.text.at, place.shape));
    } else if (place.text.size == 0) {
        number.reset();
    } else {
        readNumber(place.text.in(line), number);
    }
}

void readAt(std::string_view line, const NumberPlace& place, std::optional<std::int64_t>& number) {
    if (place.shape.whole > 0) {
        const char* const end = line.data() + place.text.at + place.text.size;
        number.emplace(static_cast<std::int64_t>(readDigits(end, place.shape.whole)));
    } else {
        readInteger(place.text.in(line), number);
    }
}

// Nothing where the product would be no index.
void multiply(std::optional<std::int64_t>& index, const std::optional<std::int64_t>& factor) {
    constexpr std::int64_t highest = 1'000'000'000;
    const bool small = factor && *factor < highest && *index < highest;
    index = small ? std::optional(*index * *factor) : std::nullopt;
}

}  // namespace

std::string_view oneDigitDuration(std::string_view line) {
    for (std::size_t end = nextNumberEnd(line, 0); end != std::string_view::npos;
         end = nextNumberEnd(line, end)) {
        // The extractor takes the first place where a match begins: the longest one that ends here.
        for (std::size_t digits = 3; digits >= 1; --digits) {
            if (end < digits + 2 || !isDigit(line[end - digits - 2])) {
                continue;
            }
            const std::string_view tail = line.substr(end - digits, digits);
            if (std::all_of(tail.begin(), tail.end(), isDigit)) {
                return line.substr(end - digits - 2, digits + 2);
            }
        }
    }
    return {};
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
    for (std::vector<std::string> texts : format.markers) {
        markers_.push_back(findersOf(texts));
        for (std::string& text : texts) {
            digitsDecide_ = digitsDecide_ || hasDigit(text);
            text = blankDigits(std::move(text));
        }
        blankMarkers_.push_back(findersOf(texts));
    }
}

bool LineScanner::counts(std::string_view line) const {
    return holdsMarkers(markers_, line);
}

bool LineScanner::mayCount(std::string_view line) const {
    return digitsDecide_ ? holdsMarkers(blankMarkers_, blankDigits(std::string(line))) : counts(line);
}

bool LineScanner::holdsMarkers(const std::vector<Texts>& markers, std::string_view line) const {
    if (format_->markerStartsLine) {
        return line.starts_with(markers.front().front().text());
    }
    return std::any_of(markers.begin(), markers.end(),
                       [&](const Texts& texts) { return allStand(texts, line); });
}

LinePlaces LineScanner::find(std::string_view line) const {
    const auto place = [&](std::string_view text) {
        if (text.empty()) {
            return Place{};
        }
        return Place{static_cast<std::uint32_t>(text.data() - line.data()),
                     static_cast<std::uint32_t>(text.size())};
    };
    const auto numberPlace = [&](std::string_view text) {
        const Place at = place(text);
        return NumberPlace{at, shapeOfNumber(text, at.at)};
    };
    LinePlaces places;
    places.index = numberPlace(index_.integer(line));
    places.indexFactor = numberPlace(indexFactor_.integer(line));
    places.value = numberPlace(value_.number(line));
    if (format_->dropsLeadingDigits) {
        places.dlperfValue = numberPlace(oneDigitDuration(line));
    }
    const std::string_view stamp = stampAt(line, format_->clock);
    places.stamp = place(stamp);
    places.stampIsSure = isSureStamp(stamp, format_->clock);
    places.stampIsPadded = isPaddedStamp(stamp, format_->clock);
    places.data = numberPlace(data_.number(line));
    places.loss = numberPlace(loss_.number(line));
    return places;
}

void LineScanner::read(std::string_view line, const LinePlaces& places, bool withDetails,
                       CountedLine& counted) const {
    readAt(line, places.index, counted.index);
    if (counted.index && indexFactor_.printed()) {
        std::optional<std::int64_t> factor;
        readAt(line, places.indexFactor, factor);
        multiply(counted.index, factor);
    }
    readAt(line, places.value, counted.value);
    if (counted.value && format_->valueRounding) {
        counted.value =
            rounded(*counted.value, format_->valueRounding->decimals, format_->valueRounding->rule);
    }
    if (format_->dropsLeadingDigits) {
        readAt(line, places.dlperfValue, counted.dlperfValue);
    }
    if (format_->clock != Clock::None) {
        counted.stamp = {line, places.stamp.in(line), format_->clock, places.stampIsSure,
                         places.stampIsPadded};
    }
    if (!withDetails) {
        return;
    }
    readAt(line, places.data, counted.data);
    readAt(line, places.loss, counted.loss);
}

bool LineScanner::isOdd(std::string_view line) const {
    return stands(oddText_, line);
}

bool LineScanner::followsShape() const {
    const auto captures = {&index_, &indexFactor_, &value_, &loss_, &data_};
    return !hasDigit(oddText_.text()) &&
           std::all_of(captures.begin(), captures.end(),
                       [](const CaptureReader* capture) { return capture->followsShape(); });
}

bool LineScanner::isRecognised(std::string_view line) const {
    return recognisedBy_.empty() || std::any_of(recognisedBy_.begin(), recognisedBy_.end(),
                                                [&](const auto& text) { return stands(text, line); });
}

}  // namespace dlperf::analysis
