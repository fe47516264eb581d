// SPDX-License-Identifier: Apache-2.0
// A piece of a log, its whole lines scanned ahead: that part of the work needs to know nothing of what stands
// before the piece, so that many threads share a log. LogAnalyzer::feed() does the rest, piece by piece.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/line_reader.h"
#include "core/analysis/steady_lines.h"

namespace dlperf::analysis {

class ScannedPiece {
public:
    // Keeps views into the bytes, and the reader's scanner.
    void scan(std::string_view bytes, LineReader& reader);

    std::string_view head() const { return head_; }  // to the end of the line that began before the piece
    // Of the lines between head and tail, from line 1, those that are not idle: the steady ones, and the
    // others.
    const SteadyColumns& steadyLines() const { return steady_; }
    std::span<ScannedLine> lines() { return {lines_.data(), kept_}; }
    std::int64_t lineCount() const { return lineCount_; }  // idle ones as well
    const RankMix& ranks() const { return ranks_; }
    std::string_view tail() const { return tail_; }  // what follows: a line that goes on behind the piece

private:
    void take(const Line& line, LineReader& reader);
    void takeOther(const Line& line, const LineShape& shape, LineReader& reader);
    std::size_t takeSteady(const Line& first, std::size_t count, const LineShape& shape);
    void takeAlike(const Line& first, std::size_t count, const LineShape& shape, LineReader& reader);
    LineSplitter::Front readFront(std::string_view bytes, std::int64_t number, LineReader& reader);

    std::string_view head_;
    SteadyColumns steady_;
    std::vector<ScannedLine> lines_;  // more than it holds: they are written over, piece by piece
    std::size_t kept_ = 0;
    std::int64_t lineCount_ = 0;
    RankMix ranks_;
    std::string_view tail_;
};

}  // namespace dlperf::analysis
