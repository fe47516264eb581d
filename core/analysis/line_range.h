// SPDX-License-Identifier: Apache-2.0
// A range in iterations -> the counted lines that it is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {

// Line numbers as the format counts: the values of the lines first + 1 to last, or the clock at `first` and
// at `last`.
struct LineRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool openEnd = false;     // the values go on behind `last`
    double iterations = 0;    // that DLPerf's extractor takes them for
    double covered = 0;       // that lie between the two lines
    std::int64_t perRow = 1;  // lines of one iteration: one a device where every rank prints

    bool holds(std::int64_t number) const { return number > first && (openEnd || number <= last); }
};

// `devices` is the world size.
[[nodiscard]] LineRange lineRangeOf(const Format& format, const MeasurementRange& range,
                                    std::int64_t devices);

// The trainer prints numbers, but the format counts lines: what it says of their number holds for lines, not
// for the trainer's iterations.
[[nodiscard]] bool countsLinesOnly(const Format& format);

// The iteration at the n-th counted line.
[[nodiscard]] std::int64_t iterationAt(const Format& format, std::int64_t line, std::int64_t perRow);

// The numbers of the lines up to a range's end, for a rule whose range begins and ends at lines.
class RangeEnds {
public:
    void keep(std::int64_t number, const LineRange& range);
    // As much of the range, in proportion, as the log has from this number on.
    [[nodiscard]] std::optional<MeasurementRange> within(const LineRange& range, int lowest) const;

private:
    std::vector<std::int64_t> numbers_;  // rising
};

}  // namespace dlperf::analysis
