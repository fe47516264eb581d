// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "core/analysis/header_reader.h"
#include "core/analysis/rank_prefix.h"
#include "core/analysis/terminal_escape.h"
#include "core/base/mapped.h"

namespace dlperf::analysis {
namespace {

std::vector<TextFinder> findersOf(const std::vector<std::string>& texts) {
    return mapped(texts, [](const std::string& text) { return TextFinder(text); });
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

TimeUnit unitOf(Quantity quantity) {
    switch (quantity) {
        case Quantity::Seconds:
        case Quantity::IntervalSeconds:
            return TimeUnit::Seconds;
        case Quantity::BatchMilliseconds:
        case Quantity::EpochMilliseconds:
        case Quantity::Latency:
            return TimeUnit::Milliseconds;
        default:
            return TimeUnit::None;
    }
}

// Nothing where the product would be no index.
void multiply(std::optional<std::int64_t>& index, const std::optional<std::int64_t>& factor) {
    constexpr std::int64_t highest = 1'000'000'000;
    const bool small = factor && *factor < highest && *index < highest;
    index = small ? std::optional(*index * *factor) : std::nullopt;
}

// Vector registers as GCC and Clang offer them on every machine.
constexpr std::size_t stepBytes = 16;
using Bytes [[gnu::vector_size(stepBytes)]] = unsigned char;
using Words [[gnu::vector_size(stepBytes)]] = std::uint64_t;

Bytes bytesAt(const char* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, stepBytes);
    return bytes;
}

// The next bytes, each digit as '0'.
Bytes withoutDigits(const char* from) {
    const Bytes bytes = bytesAt(from);
    const auto isDigit = reinterpret_cast<Bytes>(bytes - '0' <= 9);
    return (bytes & ~isDigit) | ('0' & isDigit);
}

// In steps; the last one overlaps the one before it, since to read bytes that have just been written
// elsewhere takes longer than all the others.
template <class OnStep>
void walk(std::size_t size, const OnStep& onStep) {
    for (std::size_t at = 0; at + stepBytes < size; at += stepBytes) {
        onStep(at);
    }
    onStep(size - stepBytes);
}

}  // namespace

void LineSplitter::takeSlowly(std::string_view bytes) {
    const std::size_t room = maxBytes - kept_.size();
    if (bytes.size() > room) {
        cut_ = true;
        bytes = bytes.substr(0, room);
    }
    if (kept_.empty()) {
        direct_ = bytes;
    } else {
        kept_.append(bytes);
    }
}

void LineSplitter::keep() {
    kept_.append(direct_);
    direct_ = {};
}

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
      value_(format.value, unitOf(format.quantity)),
      loss_(format.loss),
      data_(format.data, TimeUnit::Seconds) {
    const auto pattern = [](const std::string& text) {
        return text.empty() ? nullptr : std::make_unique<const RE2>(text, patternOptions());
    };
    workerDevices_ = pattern(format.header.workerDevices);
    accumulation_ = pattern(format.header.accumulation);
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

std::optional<int> LineScanner::workerDevices(std::string_view line) const {
    const auto devices = groupIn(workerDevices_.get(), line);
    return devices ? std::optional(1 + static_cast<int>(std::count(devices->begin(), devices->end(), ',')))
                   : std::nullopt;
}

std::optional<int> LineScanner::accumulation(std::string_view line) const {
    constexpr int most = 1'000'000;
    const auto batches = toInt(groupIn(accumulation_.get(), line).value_or(""));
    return batches && *batches >= 1 && *batches <= most ? batches : std::nullopt;
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

bool LineShapes::isOf(const Slot& slot, std::string_view line) {
    if (slot.bytes.size() != line.size() || line.size() < stepBytes) {
        return false;
    }
    Bytes unlike{};
    walk(line.size(), [&](std::size_t at) {
        const Bytes higher = bytesAt(line.data() + at) - bytesAt(slot.bytes.data() + at);
        unlike |= reinterpret_cast<Bytes>(higher > bytesAt(slot.variance.data() + at));
    });
    const auto words = reinterpret_cast<Words>(unlike);
    return (words[0] | words[1]) == 0;
}

void LineShapes::keep(Slot& slot, std::size_t size) const {
    slot.bytes.assign(bytes_.data(), size);
    slot.variance.resize(size);
    std::transform(slot.bytes.begin(), slot.bytes.end(), slot.variance.begin(),
                   [](char c) { return c == '0' ? '\x09' : '\0'; });
}

std::uint64_t LineShapes::hashOf(std::string_view line) {
    Words sums{line.size(), 0};
    const auto take = [&](const char* from, std::size_t at) {
        const Bytes bytes = withoutDigits(from);
        std::memcpy(bytes_.data() + at, &bytes, stepBytes);
        sums = ((sums << 5U) | (sums >> 59U)) ^ reinterpret_cast<Words>(bytes);
    };
    if (line.size() < stepBytes) {
        std::array<char, stepBytes> filled{};
        std::copy(line.begin(), line.end(), filled.begin());
        take(filled.data(), 0);
    } else {
        walk(line.size(), [&](std::size_t at) { take(line.data() + at, at); });
    }
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: spreads bits well
    return (sums[0] * factor) ^ std::rotl(sums[1] * factor, 32);
}

// A shape has two places. It is kept when it comes a second time, for most lines that are unlike others come
// once; and it gives way when it was not seen between two that want its place.
LineShapes::Slot* LineShapes::slotFor(std::string_view line) {
    if (slots_.empty()) {
        slots_.resize(slotCount);
    }
    const std::uint64_t hash = hashOf(line);
    const std::string_view bytes(bytes_.data(), line.size());
    const std::size_t at = (hash >> 40U) % slotCount;
    const std::array<Slot*, 2> places{&slots_[at], &slots_[at ^ 1U]};
    for (Slot* slot : places) {
        if (slot->hash == hash && (slot->bytes == bytes || !slot->isKept())) {
            return slot;
        }
    }
    for (Slot* slot : places) {
        if (!std::exchange(slot->isUsed, false)) {
            slot->hash = hash;
            slot->bytes.clear();
            slot->next = nullptr;
            slot->isDoubted = false;
            break;
        }
    }
    return nullptr;
}

LineReader::LineReader(std::shared_ptr<const LineScanner> scanner, bool withDetails)
    : scanner_(std::move(scanner)), withDetails_(withDetails), followsShape_(scanner_->followsShape()) {}

LineShape LineReader::shapeFrom(std::string_view line) const {
    const auto place = [&](std::string_view text) {
        return Place{static_cast<std::uint32_t>(text.data() - line.data()),
                     static_cast<std::uint32_t>(text.size())};
    };
    const auto [text, rank] = withoutRank(line);
    LineShape shape;
    shape.text = place(text);
    if (!rank.empty()) {
        shape.rank = place(rank);
    }
    shape.isHeader = isHeaderLine(scanner_->format().header.style, text);
    shape.mayCount = scanner_->mayCount(text);
    if (shape.mayCount) {
        shape.isOdd = scanner_->isOdd(text);
        shape.places = scanner_->find(text);
    }
    return shape;
}

void LineReader::feed(std::string_view bytes) {
    if (!finished_) {
        hasEscapes_ = hasEscapes_ || bytes.find('\x1b') != std::string_view::npos;
        lines_.feed(bytes, [this](const Line& line) { read(line); });
    }
}

void LineReader::finish() {
    if (!std::exchange(finished_, true)) {
        lines_.finish([this](const Line& line) { read(line); });
    }
}

void LineReader::read(const Line& printed) {
    Line line = printed;
    if (hasEscapes_) {
        line.text = withoutEscapes(printed.text, plain_);
    }
    if (line.text.empty()) {
        return;
    }
    const auto make = [this](std::string_view bytes) { return shapeFrom(bytes); };
    const LineShape& shape = followsShape_ ? shapes_.of(line.text, make) : single_ = make(line.text);
    scanned_.line = line;
    scanned_.text = shape.text.in(line.text);
    scanned_.isHeader = shape.isHeader;
    scanned_.counts = shape.mayCount && (!scanner_->digitsDecide() || scanner_->counts(scanned_.text));
    scanned_.isOdd = shape.isOdd;
    if (scanned_.counts) {
        ranks_.add(shape.rank.in(line.text));
        scanner_->read(scanned_.text, shape.places, withDetails_, scanned_.counted);
    }
    take(scanned_);
}

}  // namespace dlperf::analysis
