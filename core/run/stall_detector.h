// SPDX-License-Identifier: Apache-2.0
// Whether a node of a running run still gives a sign of itself: it is reached, and its log grows as often as
// it usually does.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/diagnosis/pace.h"
#include "core/run/node_alert.h"
#include "core/run/node_watch.h"

namespace dlperf::run {

class StallDetector {
public:
    // A loss of the way there that is shorter than `moment` is nothing.
    StallDetector(std::string node, std::chrono::milliseconds moment)
        : node_(std::move(node)), moment_(moment) {}

    // What is wrong with the node now.
    [[nodiscard]] std::optional<NodeAlert> check(const diagnosis::Rules& rules, const NodeReport& report,
                                                 const diagnosis::Pace& pace, bool othersAnswer);

private:
    using Clock = std::chrono::steady_clock;

    std::string node_;
    std::chrono::milliseconds moment_;
    std::uint64_t logBytes_ = 0;
    Clock::time_point grown_ = Clock::now();
    // An alert keeps the time it began.
    std::optional<NodeAlert> alert_;
};

}  // namespace dlperf::run
