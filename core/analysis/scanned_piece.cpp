// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/scanned_piece.h"

#include <algorithm>

namespace dlperf::analysis {
namespace {

// The size of the next whole lines, about so many bytes; 0 if there is none.
std::size_t wholeLines(std::string_view bytes) {
    constexpr std::size_t about = 32U << 10U;
    const std::size_t last = bytes.substr(0, about).rfind('\n');
    return (last == std::string_view::npos ? bytes.find('\n') : last) + 1;  // npos + 1 is 0
}

}  // namespace

void ScannedPiece::take(const Line& line, LineReader& reader) {
    const LineShape& shape = reader.shapeOf(line.text);
    if (!shape.isSteady || line.cut || takeSteady(line, 1, shape) == 0) takeOther(line, shape, reader);
}

void ScannedPiece::takeOther(const Line& line, const LineShape& shape, LineReader& reader) {
    if (kept_ == lines_.size()) lines_.resize(std::max<std::size_t>(64, 2 * kept_));
    reader.read(line, shape, ranks_, lines_[kept_]);
    kept_ += lines_[kept_].isIdle() ? 0U : 1U;
}

std::size_t ScannedPiece::takeSteady(const Line& first, std::size_t count, const LineShape& shape) {
    const std::size_t taken = steady_.add(first, count, shape, kept_);
    const std::size_t ranks = shape.rank.size > 0 ? taken : std::min<std::size_t>(taken, 1);
    for (std::size_t i = 0; i < ranks; ++i) {
        ranks_.add({first.text.data() + i * (shape.size + 1) + shape.rank.at, shape.rank.size});
    }
    return taken;
}

// Lines of one steady shape: those that do not count, by their digits, may stand among those that do.
void ScannedPiece::takeAlike(const Line& first, std::size_t count, const LineShape& shape,
                             LineReader& reader) {
    Line line = first;
    const auto skip = [&](std::size_t lines) {
        line.text = {line.text.data() + lines * (shape.size + 1), line.text.size()};
        line.number += static_cast<std::int64_t>(lines);
        count -= lines;
    };
    while (count > 0) {
        skip(takeSteady(line, count, shape));
        if (count == 0) return;
        takeOther(line, shape, reader);
        skip(1);
    }
}

// Lines of the expected shapes, each as long as such a line is: nobody needs to look for its end.
LineSplitter::Front ScannedPiece::readFront(std::string_view bytes, std::int64_t number, LineReader& reader) {
    LineSplitter::Front front;
    for (const LineShape* shape = reader.expected(); shape != nullptr; shape = reader.expected()) {
        if (!shape->isSteady && !shape->isIdle()) break;
        const std::string_view rest = bytes.substr(front.size);
        const std::size_t count = reader.takeExpected(rest);
        if (count == 0) break;
        const Line first{rest.substr(0, shape->size), number + front.lines, false, false};
        if (!shape->isIdle()) takeAlike(first, count, *shape, reader);
        front.size += count * (shape->size + 1);
        front.lines += static_cast<std::int64_t>(count);
    }
    return front;
}

void ScannedPiece::scan(std::string_view bytes, LineReader& reader) {
    const std::size_t firstEnd = bytes.find('\n');
    const std::size_t headSize = firstEnd == std::string_view::npos ? bytes.size() : firstEnd + 1;
    head_ = bytes.substr(0, headSize);
    bytes.remove_prefix(headSize);
    kept_ = 0;
    ranks_ = {};
    steady_.start(reader.scanner());
    LineSplitter splitter;
    // Of lines of a few bytes there are more than memory is meant for: the rest is left to who takes the
    // tail.
    while (kept_ < SteadyColumns::capacity) {
        const std::size_t size = wholeLines(bytes);
        if (size == 0) break;
        splitter.feed(
            bytes.substr(0, size), [&](const Line& line) { take(line, reader); },
            [&](std::string_view front, std::int64_t number) { return readFront(front, number, reader); });
        bytes.remove_prefix(size);
    }
    steady_.finish();
    lineCount_ = splitter.lineEnds();
    tail_ = bytes;
}

}  // namespace dlperf::analysis
