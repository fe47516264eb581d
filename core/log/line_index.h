// SPDX-License-Identifier: Apache-2.0
// Where the lines of one log lie, sparsely: the offset of every 64th line, and the runs of lines that say the
// same. A log of ten million lines takes some three megabytes. A run and a line that stands alone are both a
// unit: what is shown as one row.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace dlperf::log {

struct Checkpoint {
    std::uint64_t line = 0;
    std::uint64_t offset = 0;
};

// `more` lines after `first` say the same as it does.
struct SameLines {
    std::uint64_t first = 0;
    std::uint64_t more = 0;
};

// What a scan of some more bytes found.
struct ScannedPart {
    std::uint64_t lines = 0;  // of the log so far, with the last one though it be unfinished
    std::uint64_t size = 0;   // bytes so far
    std::vector<Checkpoint> checkpoints;
    std::vector<SameLines> runs;  // the first one may be the last known one, grown
};

class LineIndex {
public:
    static constexpr std::uint64_t linesBetween = 64;

    void append(const ScannedPart& part);

    [[nodiscard]] std::uint64_t lines() const { return lines_; }
    [[nodiscard]] std::uint64_t units() const { return lines_ - repeated(); }
    [[nodiscard]] std::uint64_t unitOf(std::uint64_t line) const;
    [[nodiscard]] std::uint64_t firstLineOf(std::uint64_t unit) const;  // also of the unit to come
    [[nodiscard]] std::uint64_t linesIn(std::uint64_t unit) const;

    // From where to read in order to come to the line, and where what is worth reading for it ends.
    [[nodiscard]] Checkpoint before(std::uint64_t line) const;
    [[nodiscard]] std::uint64_t endOffset(std::uint64_t line) const;

private:
    struct Run {
        std::uint64_t first = 0;
        std::uint64_t more = 0;
        std::uint64_t repeatedBefore = 0;  // lines in units of earlier lines
        [[nodiscard]] std::uint64_t unit() const { return first - repeatedBefore; }
    };
    [[nodiscard]] std::uint64_t repeated() const {
        return runs_.empty() ? 0 : runs_.back().repeatedBefore + runs_.back().more;
    }

    // Deques grow without copying: nobody waits for the lock while megabytes move.
    std::deque<Checkpoint> checkpoints_;
    std::deque<Run> runs_;
    std::uint64_t lines_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace dlperf::log
