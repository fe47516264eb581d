// SPDX-License-Identifier: Apache-2.0
// Whether a node of a running run still gives a sign of itself: it is reached, and its log grows as often as
// it usually does.
#pragma once

#include <optional>

#include "core/diagnosis/pace.h"
#include "core/run/node_alert.h"
#include "core/run/node_watch.h"

namespace dlperf::run {

class NodePulse {
public:
    // A loss of the way there that is shorter than `moment` is nothing.
    NodePulse(std::string node, std::chrono::milliseconds moment) : node_(std::move(node)), moment_(moment) {}

    void add(std::span<const analysis::Iteration> iterations) { pace_.add(iterations); }
    // Takes what is known of the node now; what is wrong with it.
    [[nodiscard]] std::optional<NodeAlert> look(const diagnosis::Rules& rules, const NodeReport& report,
                                                bool othersAnswer);

private:
    using Clock = std::chrono::steady_clock;

    std::string node_;
    std::chrono::milliseconds moment_;
    diagnosis::Pace pace_;
    std::uint64_t logBytes_ = 0;
    Clock::time_point grown_ = Clock::now();
    // An alert keeps the time it began.
    std::optional<NodeAlert> alert_;
};

}  // namespace dlperf::run
