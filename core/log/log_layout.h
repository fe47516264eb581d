// SPDX-License-Identifier: Apache-2.0
// Which line of which log is shown where, for one log or several as one. Three counts: a line's `number` in
// what is shown, from 0; a `place`, where lines that say the same stand as one; a `row` of the view, where
// the warmup is folded too and the user has opened some folds. Knows no text; a value of some megabytes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/log/line_index.h"
#include "core/log/log_scanner.h"
#include "core/log/merge_order.h"
#include "core/log/row_folds.h"

namespace dlperf::log {

struct LineSpot {
    std::size_t log = 0;
    std::uint64_t line = 0;  // in that log, from 0
    friend bool operator==(const LineSpot&, const LineSpot&) = default;
};

// Folds that the user opened, by the number of their first line.
struct Opened {
    std::set<std::uint64_t> repeats;
    std::set<std::uint64_t> warmups;
};

struct Row {
    enum class Kind { Line, Warmup };  // Warmup: the row that stands for the folded lines
    Kind kind = Kind::Line;
    std::uint64_t number = 0;
    std::uint64_t lines = 1;  // that it stands for
    bool isOpen = false;      // a fold whose lines follow it
};

class LogLayout {
public:
    static constexpr std::size_t mostLevels = 100'000;  // to jump to, of warnings and of errors each
    static constexpr std::size_t mostWarmups = 200;     // folds

    explicit LogLayout(std::size_t logs) : indexes_(logs), begins_(logs), order_(logs) {}

    // What one step found, by log.
    void append(const std::vector<Scanned>& found, MergeOrder::Kind kind = MergeOrder::Kind::Share);
    // Then the warnings and errors in it. In two steps, so that who changes the layout need not keep others
    // from it while many numbers are looked up.
    struct Said {
        std::uint64_t warnings = 0;
        std::uint64_t errors = 0;
        std::vector<std::uint64_t> warningNumbers;  // ascending; not more than can be kept
        std::vector<std::uint64_t> errorNumbers;
    };
    [[nodiscard]] Said levelsIn(const std::vector<Scanned>& found) const;
    void note(const Said& said);

    [[nodiscard]] std::uint64_t lines() const { return lines_; }
    [[nodiscard]] std::uint64_t warnings() const { return warnings_.count; }
    [[nodiscard]] std::uint64_t errors() const { return errors_.count; }
    [[nodiscard]] const LineIndex& index(std::size_t log) const { return indexes_[log]; }
    // The log that the last line belongs to.
    [[nodiscard]] std::optional<std::size_t> lastLog() const;

    [[nodiscard]] LineSpot spotOf(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t numberOf(const LineSpot& spot) const;
    // How many lines of each log stand before the number.
    [[nodiscard]] std::vector<std::uint64_t> linesBefore(std::uint64_t number) const;
    // The next one after the number, then the first one; nothing without any. Warning or Error.
    [[nodiscard]] std::optional<std::uint64_t> nextOf(Level level, std::uint64_t after) const;
    [[nodiscard]] std::optional<std::uint64_t> lastError() const;

    [[nodiscard]] std::uint64_t rowCount(const Opened& opened) const;
    [[nodiscard]] std::vector<Row> rows(const Opened& opened, std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] std::uint64_t rowOf(const Opened& opened, std::uint64_t number) const;

private:
    struct Marks {
        std::uint64_t count = 0;
        std::vector<std::uint64_t> numbers;
        [[nodiscard]] bool areAllKnown() const { return count == numbers.size(); }
        void add(std::uint64_t more, const std::vector<std::uint64_t>& found);
    };
    struct Begins {
        std::optional<std::uint64_t> iteration, measured;
    };
    struct Range {
        std::uint64_t first = 0;  // place
        std::uint64_t places = 0;
    };
    struct Unit {
        std::uint64_t number = 0;
        std::uint64_t lines = 0;
        LineSpot first;
    };
    [[nodiscard]] Unit unitAt(std::uint64_t place) const;
    [[nodiscard]] std::uint64_t linesIn(const std::vector<std::uint64_t>& units) const;
    [[nodiscard]] std::uint64_t numberAt(std::uint64_t place) const;
    [[nodiscard]] std::uint64_t placeOf(const LineSpot& spot) const;
    [[nodiscard]] std::uint64_t placeOfNumber(std::uint64_t number) const;
    [[nodiscard]] Row rowAt(const std::vector<RowFold>& folds, const Opened& opened, std::uint64_t row) const;
    [[nodiscard]] std::vector<RowFold> foldsOf(const Opened& opened) const;
    void foldWarmup();
    void foldBetween(std::uint64_t first, std::uint64_t end);

    std::vector<LineIndex> indexes_;
    std::vector<Begins> begins_;
    MergeOrder order_;
    std::uint64_t lines_ = 0;
    Marks warnings_;
    Marks errors_;
    std::vector<Range> warmups_;
    bool isWarmupOver_ = false;
    bool isWarmupFolded_ = false;
};

}  // namespace dlperf::log
