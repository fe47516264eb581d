// SPDX-License-Identifier: Apache-2.0
// The clocks that log lines carry, and the time between two of them as DLPerf's extractors count it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {

struct Stamp {
    std::int64_t micros = 0;  // of date and time, or of the time of day
    double epoch = 0;         // of the clocks that count seconds
};

// Seconds since 1970, and no date.
[[nodiscard]] bool isEpoch(Clock clock);

// Where the first text that looks like a stamp of the clock stands in the line; empty if there is none, or if
// it is none after all. As with numbers, it hangs on where digits stand, not on which they are.
[[nodiscard]] std::string_view stampAt(std::string_view line, Clock clock);

// What such a text says is a stamp whichever digits stand there: a month may be the thirteenth, seconds not.
[[nodiscard]] bool isSureStamp(std::string_view text, Clock clock);

// Each of its fields is as wide as it ever is: of two such texts of one size the later one is the higher one,
// if both are dates at all. Digits stand where they stand, so that this holds for others as well.
[[nodiscard]] bool isPaddedStamp(std::string_view text, Clock clock);

// A stamp in a line. Few of them are needed, and reading one takes longer than all the rest of its line: it
// is read when somebody asks.
struct PrintedStamp {
    std::string_view line;
    std::string_view text;  // within the line, as stampAt() finds it
    Clock clock = Clock::None;
    bool isSure = false;  // read() gives something, whichever digits stand there
    bool isPadded = false;

    // The first stamp in the line that the clock knows; nothing if there is none or it is no date.
    [[nodiscard]] std::optional<Stamp> read() const;
};

[[nodiscard]] double secondsBetween(const Stamp& start, const Stamp& end, Clock clock);

}  // namespace dlperf::analysis
