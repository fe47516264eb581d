// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_range.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlperf::analysis {

LineRange lineRangeOf(const Format& format, const MeasurementRange& range, std::int64_t devices) {
    const RangeLines& lines = format.lines;
    std::int64_t warmup = std::max(range.warmup, lines.least);
    if (lines.leastIsSubtracted && range.warmup > lines.least) {
        warmup = range.warmup - lines.least;
    }
    LineRange span;
    const std::int64_t first = (warmup - lines.skipped) / lines.stride + lines.shift;
    const std::int64_t last = (range.train - lines.skipped) / lines.stride;
    span.openEnd = lines.openEnd;
    span.covered = static_cast<double>((last - first) * lines.stride);
    span.iterations = lines.countsLines ? span.covered : range.train - range.warmup;
    const bool isCounted = format.numbering == Numbering::Counted;
    const bool manyRows = format.everyRankPrints && isCounted;
    span.perRow = manyRows ? std::max<std::int64_t>(devices, 1) : 1;
    const std::int64_t step = isCounted ? span.perRow : lines.stride;
    span.first = first * step;
    span.last = last * step;
    return span;
}

bool countsLinesOnly(const Format& format) {
    return format.numbering == Numbering::Counted && format.index.printed() && format.lines.stride == 1;
}

std::int64_t iterationAt(const Format& format, std::int64_t line, std::int64_t perRow) {
    if (format.numbering == Numbering::Printed) {
        return line;
    }
    return (line + perRow - 1) / perRow * format.lines.stride + format.lines.skipped;
}

std::string measuredIterations(const Format& format, const MeasurementRange& range) {
    const LineRange lines = lineRangeOf(format, range, 1);
    const int passedOver = format.numbering == Numbering::Counted ? format.indexAbove.value_or(0) : 0;
    const std::int64_t last = iterationAt(format, lines.last, lines.perRow) + passedOver;
    return fmt::format("iterations {} to {}", iterationAt(format, lines.first, lines.perRow) + passedOver + 1,
                       lines.openEnd ? "the last" : std::to_string(last));
}

std::string measuredLines(const Format& format, const MeasurementRange& range) {
    const std::string iterations = measuredIterations(format, range);
    if (!countsLinesOnly(format)) {
        const bool takesLines = format.rule == RangeRule::MeanOfSpeeds && format.lines.stride == 1;
        return takesLines && format.index.printed() ? "the lines of " + iterations : iterations;
    }
    const LineRange lines = lineRangeOf(format, range, 1);
    return fmt::format("lines {} to {} of those that count ({} where each iteration prints one)",
                       lines.first + 1, lines.openEnd ? "the last" : std::to_string(lines.last), iterations);
}

// The first so many: a log without the range's lines has few of them, or none at its start.
void RangeEnds::keep(std::int64_t number, const LineRange& range) {
    constexpr std::size_t most = 4096;
    if (number <= range.last && numbers_.size() < most && (numbers_.empty() || number > numbers_.back())) {
        numbers_.push_back(number);
    }
}

std::optional<MeasurementRange> RangeEnds::within(const LineRange& range, int lowest) const {
    if (numbers_.empty() || range.last <= 0) {
        return std::nullopt;
    }
    const std::int64_t end = numbers_.back();
    const std::int64_t share = (end * range.first + range.last - 1) / range.last;
    const auto start = std::ranges::lower_bound(numbers_, std::max<std::int64_t>(share, lowest));
    return start != numbers_.end() && *start < end
               ? std::optional(MeasurementRange{static_cast<int>(*start), static_cast<int>(end)})
               : std::nullopt;
}

}  // namespace dlperf::analysis
