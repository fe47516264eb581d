// SPDX-License-Identifier: Apache-2.0
// The lines of one log, or of a part of it -> what each holds. As LineScanner says it, but quick: it
// remembers the shapes of lines.
#pragma once

#include <memory>
#include <string>

#include "core/analysis/line_shapes.h"
#include "core/analysis/line_splitter.h"

namespace dlperf::analysis {

struct ScannedLine {
    Line line;
    std::string_view text;  // without the prefix of a launcher
    bool isHeader = false;
    bool counts = false;
    bool isOdd = false;  // it counts, but is no training line
    CountedLine counted;

    // Nothing in it matters to the log's figure or findings.
    bool isIdle() const { return !counts && !isHeader && !line.cut; }
};

// Which ranks print the lines that count.
class RankMix {
public:
    void add(std::string_view rank) {
        if (rank.empty() && hasFirst_ && first_.empty()) return;  // nearly always
        if (!hasFirst_) {
            first_ = rank;
            hasFirst_ = true;
        }
        mixed_ = mixed_ || rank != first_;
    }
    void add(const RankMix& other) {
        if (!other.hasFirst_) return;
        add(other.first_);
        mixed_ = mixed_ || other.mixed_;
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
    void read(const Line& line, RankMix& ranks, ScannedLine& scanned) {
        read(line, shapeOf(line.text), ranks, scanned);
    }
    // The same of a line of that shape.
    void read(const Line& line, const LineShape& shape, RankMix& ranks, ScannedLine& scanned) const;

    // The reference holds until the next call.
    [[nodiscard]] const LineShape& shapeOf(std::string_view line) {
        const auto make = [this](std::string_view bytes) { return shapeFrom(bytes); };
        return followsShape_ ? shapes_.of(line, make) : single_ = make(line);
    }
    // LineShapes says what they mean.
    [[nodiscard]] const LineShape* expected() const { return shapes_.expected(); }
    [[nodiscard]] std::size_t takeExpected(std::string_view bytes) { return shapes_.takeExpected(bytes); }

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
