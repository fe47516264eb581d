// SPDX-License-Identifier: Apache-2.0
// The lines of one log -> what each holds, as LineScanner says it. A trainer prints millions of lines that
// differ in their digits only: the reader remembers their shapes and looks once a shape, not once a line, for
// where things stand.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/line_scanner.h"
#include "core/analysis/line_splitter.h"

namespace dlperf::analysis {

// What is true of every line whose digits stand at the same places and whose other bytes are the same.
struct LineShape {
    bool mayCount = false;  // if its digits are the right ones
    bool isHeader = false;
    bool isOdd = false;
    Place rank;         // of a launcher's prefix
    Place text;         // the line without that prefix
    LinePlaces places;  // within the text
};

// A bounded store of shapes: one that has not been seen for long gives way.
class LineShapes {
public:
    LineShapes() = default;
    LineShapes(const LineShapes&) = delete;  // its parts point to each other
    LineShapes& operator=(const LineShapes&) = delete;

    // The line's shape, of which `make(line)` says what is true where it is not known yet.
    template <class Make>
    const LineShape& of(std::string_view line, const Make& make) {
        if (Slot* slot = latestSlot_->next; slot != nullptr && isOf(*slot, line)) {
            goTo(*slot);
            return slot->shape;
        }
        Slot* slot = line.size() <= longest ? slotFor(line) : nullptr;
        if (slot == nullptr) {
            return latest_ = make(line);
        }
        if (!slot->isKept()) {
            keep(*slot, line.size());
            slot->shape = make(line);
        }
        if (latestSlot_->next == nullptr || std::exchange(latestSlot_->isDoubted, true)) {
            latestSlot_->next = slot;
        }
        goTo(*slot);
        return slot->shape;
    }

private:
    static constexpr std::size_t longest = 512;  // bytes; longer lines are rare
    static constexpr std::size_t slotCount = 256;

    struct Slot {
        std::uint64_t hash = 0;
        std::string bytes;     // of a line, each digit as '0'; empty until the shape is kept
        std::string variance;  // by how much each byte may be higher: 9 for a digit, else 0
        LineShape shape;
        Slot* next = nullptr;    // expected behind it
        bool isDoubted = false;  // another one came the last time
        bool isUsed = false;     // since somebody else wanted this place

        bool isKept() const { return !bytes.empty(); }
    };

    void goTo(Slot& slot) {
        latestSlot_->isDoubted = latestSlot_->isDoubted && latestSlot_->next != &slot;
        slot.isUsed = true;
        latestSlot_ = &slot;
    }
    [[nodiscard]] static bool isOf(const Slot& slot, std::string_view line);
    void keep(Slot& slot, std::size_t size) const;
    // Where the line's shape is kept, or is to be kept: null for one that is not known to come again.
    [[nodiscard]] Slot* slotFor(std::string_view line);
    // Leaves the line's bytes without their digits.
    [[nodiscard]] std::uint64_t hashOf(std::string_view line);

    std::vector<Slot> slots_;  // none before the first line; of constant size from then on
    std::array<char, longest> bytes_{};
    Slot first_;  // before any other
    Slot* latestSlot_ = &first_;
    LineShape latest_;
};

struct ScannedLine {
    Line line;
    std::string_view text;  // without the prefix of a launcher
    bool isHeader = false;
    bool counts = false;
    bool isOdd = false;  // it counts, but is no training line
    CountedLine counted;
};

// Which ranks print the lines that count.
class RankMix {
public:
    void add(std::string_view rank) {
        if (rank.empty() && hasFirst_ && first_.empty()) {  // nearly always
            return;
        }
        if (!hasFirst_) {
            first_ = rank;
            hasFirst_ = true;
        }
        mixed_ = mixed_ || rank != first_;
    }
    bool mixed() const { return mixed_; }

private:
    std::string first_;
    bool hasFirst_ = false;
    bool mixed_ = false;
};

class LineReader {
public:
    // With loss and data of each line, or without.
    LineReader(std::shared_ptr<const LineScanner> scanner, bool withDetails);

    // Everything in the result lies within the line's own text; it is written in place.
    void read(const Line& line, RankMix& ranks, ScannedLine& scanned);

    const LineScanner& scanner() const { return *scanner_; }

private:
    [[nodiscard]] LineShape shapeFrom(std::string_view line) const;

    std::shared_ptr<const LineScanner> scanner_;
    bool withDetails_;
    bool followsShape_;
    LineShapes shapes_;
    LineShape single_;  // where shapes say nothing
};

}  // namespace dlperf::analysis
