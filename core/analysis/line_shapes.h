// SPDX-License-Identifier: Apache-2.0
// The shapes of a log's lines. A trainer prints millions of lines that differ in their digits only: where
// their things stand is looked for once a shape, not once a line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/line_scanner.h"

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
    // The line's shape, of which `make(line)` says what is true where it is not known yet.
    template <class Make>
    const LineShape& of(std::string_view line, const Make& make) {
        if (line.size() > longest) return latest_ = make(line);
        Slot& slot = slotOf(line);
        if (isOf(slot, line)) return slot.shape;
        if (!meetsAgain(slot)) return latest_ = make(line);
        slot.bytes.assign(bytes_.data(), line.size());
        return slot.shape = make(line);
    }

private:
    static constexpr std::size_t longest = 512;  // bytes; longer lines are rare
    static constexpr std::size_t slotCount = 256;

    struct Slot {
        std::uint64_t hash = 0;
        std::string bytes;  // of a line, each digit as '0'; empty until the shape is kept
        LineShape shape;
    };

    // Where the line's shape would be kept; leaves its bytes without their digits, and the hash of these.
    Slot& slotOf(std::string_view line);
    bool isOf(const Slot& slot, std::string_view line) const {
        return slot.hash == hash_ && slot.bytes == std::string_view(bytes_.data(), line.size());
    }
    // A shape is kept when it comes a second time: most lines that are unlike others come once.
    bool meetsAgain(Slot& slot) const;

    std::vector<Slot> slots_;
    std::array<char, longest> bytes_{};
    std::uint64_t hash_ = 0;
    LineShape latest_;
};

}  // namespace dlperf::analysis
