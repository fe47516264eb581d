// SPDX-License-Identifier: Apache-2.0
// How often a log usually has a line that counts, by its last ones.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "core/analysis/log_analyzer.h"

namespace dlperf::diagnosis {

class Pace {
public:
    void add(std::span<const analysis::Iteration> iterations);
    // Seconds from one line to the next; 0: not known yet.
    [[nodiscard]] double usual() const;
    // Finite; nothing where the log does not say, or is beyond this iteration.
    [[nodiscard]] std::optional<double> secondsUntil(std::int64_t iteration) const;

private:
    std::deque<analysis::Iteration> last_;
};

}  // namespace dlperf::diagnosis
