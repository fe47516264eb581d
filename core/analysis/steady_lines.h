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
    Line first;
    Place text;   // without the prefix of a launcher
    Place stamp;  // within that
    bool stampIsSure = false;
    bool stampIsPadded = false;

    // Of the i-th line.
    std::size_t stride() const { return first.text.size() + 1; }
    std::string_view textOf(std::size_t i) const {
        return {first.text.data() + i * stride() + text.at, text.size};
    }
    Line line(std::size_t i) const {
        return {{first.text.data() + i * stride(), first.text.size()},
                first.number + static_cast<std::int64_t>(i),
                false,
                false};
    }
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
    std::size_t linesBefore = 0;            // other lines of their piece that are kept and stand before them

    // onLine(stretch, i) for the lines from the given one on, until it says no.
    template <class OnLine>
    void walk(std::size_t from, OnLine&& onLine) const {
        const auto isBefore = [](std::size_t line, const SteadyStretch& stretch) {
            return line < stretch.start;
        };
        auto next = std::upper_bound(stretches.begin(), stretches.end(), start + from, isBefore);
        for (std::size_t at = start + from; at < start + count; ++at) {
            if (next != stretches.end() && next->start == at) ++next;
            const SteadyStretch& stretch = *std::prev(next);
            if (!onLine(stretch, at - stretch.start)) return;
        }
    }
    Line line(std::size_t i) const;
    std::string_view textOf(std::size_t i) const;

    void removeFront(std::size_t lines) {
        start += lines;
        count -= lines;
        if (indexes != nullptr) indexes += lines;
        if (values != nullptr) values += lines;
        if (dlperfValues != nullptr) dlperfValues += lines;
    }
};

// Those of one piece of a log, of bounded size.
class SteadyColumns {
public:
    explicit SteadyColumns(const Format& format);

    // So many lines of a steady shape, one behind the other, of which the first is given; so many other lines
    // of the piece stand before them. Takes as many from the front as count, by their digits, and as there is
    // room for: how many these are.
    [[nodiscard]] std::size_t add(const LineScanner& scanner, const Line& first, std::size_t count,
                                  const LineShape& shape, std::size_t linesBefore);
    // No more lines come: the values are rounded as the format wants it.
    void finish();
    // For the next piece.
    void clear();

    std::size_t runs() const { return runs_.size(); }
    [[nodiscard]] SteadyLines run(std::size_t i) const;

private:
    static constexpr std::size_t most = 8192;
    struct Columns {
        std::array<std::int64_t, most> indexes;
        std::array<double, most> values;
        std::array<double, most> dlperfValues;
    };
    struct Run {
        std::size_t start = 0;
        std::size_t linesBefore = 0;
    };

    const Format* format_;
    std::unique_ptr<Columns> columns_;
    std::size_t count_ = 0;
    std::vector<SteadyStretch> stretches_;
    std::vector<Run> runs_;
};

}  // namespace dlperf::analysis
