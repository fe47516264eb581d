// SPDX-License-Identifier: Apache-2.0
// How often a log usually has a line that counts, by its last ones.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

class Pace {
public:
    void add(const Iteration& iteration);
    // Null before the first one.
    [[nodiscard]] const Iteration* latest() const { return last_.empty() ? nullptr : &last_.back(); }
    // Seconds from one line to the next; 0: not known yet.
    [[nodiscard]] double usual() const;
    // Finite; nothing where the log does not say, or is beyond this iteration.
    [[nodiscard]] std::optional<double> secondsUntil(std::int64_t iteration) const;

private:
    std::deque<Iteration> last_;
};

}  // namespace dlperf::analysis
