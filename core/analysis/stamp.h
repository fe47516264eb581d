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

// The first stamp in the line that the clock knows; nothing if there is none or it is no date.
[[nodiscard]] std::optional<Stamp> readStamp(std::string_view line, Clock clock);

[[nodiscard]] double secondsBetween(const Stamp& start, const Stamp& end, Clock clock);

}  // namespace dlperf::analysis
