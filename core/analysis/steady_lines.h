// SPDX-License-Identifier: Apache-2.0
// Lines of which nothing is wanted but the numbers that the format prints, as columns: what most of a log is.
// Who reads them in order loops over numbers instead of lines.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/line_shapes.h"
#include "core/analysis/line_splitter.h"

namespace dlperf::analysis {

// Lines of one shape, one behind the other: where their other things stand, should somebody want them.
struct SteadyStretch {
    std::size_t start = 0;  // number of its first line within the columns
    Line first;             // neither cut nor torn, as none of them is
    Place text;             // without the prefix of a launcher
    Place stamp;            // within that
    bool stampIsSure = false;
    bool stampIsPadded = false;

    std::size_t stride() const { return first.text.size() + 1; }  // bytes from one line to the next
    // Of the i-th line.
    Line line(std::size_t i) const {
        Line line = first;
        line.text = {first.text.data() + i * stride(), first.text.size()};
        line.number += static_cast<std::int64_t>(i);
        return line;
    }
    std::string_view textOf(std::size_t i) const { return text.in(line(i).text); }
    PrintedStamp stampOf(std::size_t i, Clock clock) const {
        return {textOf(i), stamp.in(textOf(i)), clock, stampIsSure, stampIsPadded};
    }
};

// Steady lines one after the other, with none in between that matters. They count, and each has all the
// numbers. A view.
struct SteadyLines {
    std::span<const SteadyStretch> stretches;  // in which they lie, and others
    std::size_t start = 0;                     // number of the first one within the columns
    std::size_t count = 0;
    const std::int64_t* indexes = nullptr;  // null where the format prints none
    const double* values = nullptr;         // as well
    const double* dlperfValues = nullptr;   // null where the extractor reads the same
    std::size_t othersBefore = 0;           // of the piece's other lines, so many stand before these

    // onLine(stretch, i) for each line.
    template <class OnLine>
    void forEach(OnLine&& onLine) const {
        auto stretch = stretchOf(0);
        for (std::size_t at = start; at < start + count; ++at) {
            const auto next = std::next(stretch);
            if (next != stretches.end() && next->start == at) stretch = next;
            onLine(*stretch, at - stretch->start);
        }
    }
    // Of the i-th line.
    Line line(std::size_t i) const {
        const auto stretch = stretchOf(i);
        return stretch->line(start + i - stretch->start);
    }
    std::string_view textOf(std::size_t i) const {
        const auto stretch = stretchOf(i);
        return stretch->textOf(start + i - stretch->start);
    }

    SteadyLines front(std::size_t lines) const {
        SteadyLines result = *this;
        result.count = lines;
        return result;
    }
    void removeFront(std::size_t lines) {
        start += lines;
        count -= lines;
        if (indexes != nullptr) indexes += lines;
        if (values != nullptr) values += lines;
        if (dlperfValues != nullptr) dlperfValues += lines;
    }

private:
    std::span<const SteadyStretch>::iterator stretchOf(std::size_t i) const {
        const auto isBefore = [](std::size_t line, const SteadyStretch& stretch) {
            return line < stretch.start;
        };
        return std::prev(std::upper_bound(stretches.begin(), stretches.end(), start + i, isBefore));
    }
};

// Those of one piece of a log, of bounded size.
class SteadyColumns {
public:
    static constexpr std::size_t capacity = 8192;  // lines

    // Empty, for lines that the scanner reads; it outlives what is asked of them.
    void start(const LineScanner& scanner);
    // So many lines of a steady shape, one behind the other, of which the first is given; so many other lines
    // of the piece stand before them. Takes as many from the front as count, by their digits, and as there is
    // room for: how many these are.
    [[nodiscard]] std::size_t add(const Line& first, std::size_t count, const LineShape& shape,
                                  std::size_t othersBefore);
    // No more lines come: the values are rounded as the format wants it.
    void finish();

    std::size_t runs() const { return runs_.size(); }
    [[nodiscard]] SteadyLines run(std::size_t i) const;

private:
    struct Columns {
        std::array<std::int64_t, capacity> indexes;
        std::array<double, capacity> values;
        std::array<double, capacity> dlperfValues;
    };
    struct Run {
        std::size_t start = 0;
        std::size_t othersBefore = 0;
    };

    const Format& format() const { return scanner_->format(); }

    const LineScanner* scanner_ = nullptr;
    std::unique_ptr<Columns> columns_;
    std::size_t count_ = 0;
    std::vector<SteadyStretch> stretches_;
    std::vector<Run> runs_;
};

}  // namespace dlperf::analysis
