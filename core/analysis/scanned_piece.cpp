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
    if (shape.isSteady && takeSteady(line, 1, shape, reader) == 1) return;
    if (kept_ == lines_.size()) lines_.resize(std::max<std::size_t>(64, 2 * kept_));
    reader.read(line, shape, ranks_, lines_[kept_]);
    kept_ += lines_[kept_].isIdle() ? 0U : 1U;
}

std::size_t ScannedPiece::takeSteady(const Line& first, std::size_t count, const LineShape& shape,
                                     LineReader& reader) {
    const std::size_t taken = steady_->add(reader.scanner(), first, count, shape, kept_);
    const std::size_t ranks = shape.rank.size > 0 ? taken : std::min<std::size_t>(taken, 1);
    for (std::size_t i = 0; i < ranks; ++i) {
        ranks_.add({first.text.data() + i * (shape.size + 1) + shape.rank.at, shape.rank.size});
    }
    return taken;
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
        const std::size_t taken = shape->isIdle() ? count : takeSteady(first, count, *shape, reader);
        front.size += taken * (shape->size + 1);
        front.lines += static_cast<std::int64_t>(taken);
        if (taken < count) break;
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
    if (!steady_) steady_.emplace(reader.scanner().format());
    steady_->clear();
    LineSplitter splitter;
    // Of lines of a few bytes there are more than memory is meant for: the rest is left to who takes the
    // tail.
    constexpr std::size_t most = 8192;
    while (kept_ < most) {
        const std::size_t size = wholeLines(bytes);
        if (size == 0) break;
        splitter.feed(
            bytes.substr(0, size), [&](const Line& line) { take(line, reader); },
            [&](std::string_view front, std::int64_t number) { return readFront(front, number, reader); });
        bytes.remove_prefix(size);
    }
    steady_->finish();
    lineCount_ = splitter.lineEnds();
    tail_ = bytes;
}

}  // namespace dlperf::analysis
