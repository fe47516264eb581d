// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_index.h"

#include <algorithm>

namespace dlperf::log {

void LineIndex::append(const ScannedPart& part) {
    checkpoints_.insert(checkpoints_.end(), part.checkpoints.begin(), part.checkpoints.end());
    for (const SameLines& run : part.runs) {
        if (!runs_.empty() && runs_.back().first == run.first) {
            runs_.back().more = run.more;
        } else {
            runs_.push_back({run.first, run.more, repeated()});
        }
    }
    lines_ = part.lines;
    size_ = part.size;
}

std::uint64_t LineIndex::unitOf(std::uint64_t line) const {
    const auto after = std::ranges::upper_bound(runs_, line, {}, &Run::first);
    if (after == runs_.begin()) {
        return line;
    }
    const Run& run = *(after - 1);
    return line <= run.first + run.more ? run.unit() : line - run.repeatedBefore - run.more;
}

std::uint64_t LineIndex::firstLineOf(std::uint64_t unit) const {
    const auto after = std::ranges::lower_bound(runs_, unit, {}, &Run::unit);
    return after == runs_.begin() ? unit : unit + (after - 1)->repeatedBefore + (after - 1)->more;
}

std::uint64_t LineIndex::linesIn(std::uint64_t unit) const {
    const auto at = std::ranges::lower_bound(runs_, unit, {}, &Run::unit);
    return at != runs_.end() && at->unit() == unit ? 1 + at->more : 1;
}

Checkpoint LineIndex::before(std::uint64_t line) const {
    const auto after = std::ranges::upper_bound(checkpoints_, line, {}, &Checkpoint::line);
    return after == checkpoints_.begin() ? Checkpoint{} : *(after - 1);
}

std::uint64_t LineIndex::endOffset(std::uint64_t line) const {
    const auto after = std::ranges::upper_bound(checkpoints_, line, {}, &Checkpoint::line);
    return after == checkpoints_.end() ? size_ : after->offset;
}

}  // namespace dlperf::log
