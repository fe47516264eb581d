// SPDX-License-Identifier: Apache-2.0
// What keeps a node of a run from being heard of, told while it lasts: the node is not reached, or its log
// stands still. The runner sees it; the campaign's journal hands it to who asks.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/diagnose.h"
#include "core/model/case.h"

namespace dlperf::run {

struct NodeTrouble {
    enum class Kind { NotReached, Silent };

    Kind kind = Kind::NotReached;
    std::string node;
    TimePoint since{};
    std::string why;            // NotReached: what failed
    bool othersAnswer = false;  // NotReached: other nodes of the run do
    double usual = 0;           // Silent: seconds of its usual iteration

    // Of the same thing, though its circumstances may have changed.
    bool isSameAs(const NodeTrouble& other) const { return kind == other.kind && node == other.node; }
    friend bool operator==(const NodeTrouble&, const NodeTrouble&) = default;
};

[[nodiscard]] Json toJson(const std::vector<NodeTrouble>& troubles);
// What is no trouble is left out: the journal may be from another version.
[[nodiscard]] std::vector<NodeTrouble> troublesFromJson(const Json& json);

// In words, with what helps, as it is at this time. Without rules only what is not about a log has words.
[[nodiscard]] std::vector<diagnosis::Hint> hintsOf(const diagnosis::Rules& rules,
                                                   const std::vector<NodeTrouble>& troubles, TimePoint at);

}  // namespace dlperf::run
