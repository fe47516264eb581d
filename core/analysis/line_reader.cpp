// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/analysis/header_reader.h"
#include "core/analysis/rank_prefix.h"

namespace dlperf::analysis {
namespace {

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

void LineReader::read(const Line& line, RankMix& ranks, ScannedLine& scanned) {
    const auto make = [this](std::string_view bytes) { return shapeFrom(bytes); };
    const LineShape& shape = followsShape_ ? shapes_.of(line.text, make) : single_ = make(line.text);
    scanned.line = line;
    scanned.text = shape.text.in(line.text);
    scanned.isHeader = shape.isHeader;
    scanned.counts = shape.mayCount && (!scanner_->digitsDecide() || scanner_->counts(scanned.text));
    scanned.isOdd = shape.isOdd;
    if (!scanned.counts) {
        return;
    }
    ranks.add(shape.rank.in(line.text));
    scanner_->read(scanned.text, shape.places, withDetails_, scanned.counted);
}

}  // namespace dlperf::analysis
