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

void ScannedPiece::scan(std::string_view bytes, LineReader& reader) {
    const std::size_t firstEnd = bytes.find('\n');
    const std::size_t headSize = firstEnd == std::string_view::npos ? bytes.size() : firstEnd + 1;
    head_ = bytes.substr(0, headSize);
    bytes.remove_prefix(headSize);
    kept_ = 0;
    ranks_ = {};
    LineSplitter splitter;
    const auto take = [&](const Line& line) {
        if (kept_ == lines_.size()) lines_.resize(std::max<std::size_t>(64, 2 * kept_));
        reader.read(line, ranks_, lines_[kept_]);
        kept_ += lines_[kept_].isIdle() ? 0U : 1U;
    };
    // Of lines of a few bytes there are more than memory is meant for: the rest is left to who takes the
    // tail.
    constexpr std::size_t most = 8192;
    while (kept_ < most) {
        const std::size_t size = wholeLines(bytes);
        if (size == 0) break;
        splitter.feed(bytes.substr(0, size), take);
        bytes.remove_prefix(size);
    }
    lineCount_ = splitter.lineEnds();
    tail_ = bytes;
}

}  // namespace dlperf::analysis
