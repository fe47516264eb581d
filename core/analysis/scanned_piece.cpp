// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/scanned_piece.h"

#include <algorithm>

namespace dlperf::analysis {

void ScannedPiece::scan(std::string_view bytes, LineReader& reader) {
    const std::size_t firstEnd = bytes.find('\n');
    const std::size_t headSize = firstEnd == std::string_view::npos ? bytes.size() : firstEnd + 1;
    head_ = bytes.substr(0, headSize);
    bytes.remove_prefix(headSize);
    const std::size_t wholeSize = bytes.rfind('\n') + 1;  // npos + 1 is 0
    tail_ = bytes.substr(wholeSize);
    kept_ = 0;
    ranks_ = {};
    LineSplitter splitter;
    splitter.feed(bytes.substr(0, wholeSize), [&](const Line& line) {
        if (kept_ == lines_.size()) lines_.resize(std::max<std::size_t>(64, 2 * kept_));
        reader.read(line, ranks_, lines_[kept_]);
        kept_ += lines_[kept_].isIdle() ? 0U : 1U;
    });
    lineCount_ = splitter.lineEnds();
}

}  // namespace dlperf::analysis
