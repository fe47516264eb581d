// SPDX-License-Identifier: Apache-2.0
// A node of a running run that is not reached or whose log stands still. The runner raises alerts; the
// campaign's journal hands them to whoever asks for the status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnose.h"
#include "core/model/case.h"

namespace dlperf::run {

struct NodeAlert {
    enum class Kind { NotReached, Silent };

    Kind kind = Kind::NotReached;
    std::string node;
    TimePoint since{};
    std::string why;            // NotReached: what failed
    bool othersAnswer = false;  // NotReached: other nodes of the run do
    double usual = 0;           // Silent: seconds of its usual iteration

    // Of the same thing, though its circumstances may have changed.
    bool isSameAs(const NodeAlert& other) const { return kind == other.kind && node == other.node; }
    friend bool operator==(const NodeAlert&, const NodeAlert&) = default;
};

// An alert that came and went while its run went on: what happened then is in the run's figure.
struct Disturbance {
    NodeAlert alert;
    std::optional<TimePoint> until{};  // nothing: it lasts, or did until the trainer ended
};

// Takes up the alerts that there are at this time.
void follow(std::vector<Disturbance>& disturbances, const std::vector<NodeAlert>& alerts, TimePoint at);
[[nodiscard]] Json toJson(const std::vector<Disturbance>& disturbances);
// Of those that are over; the others say why their run ended.
[[nodiscard]] std::vector<RunFinding> findingsOf(const std::vector<Disturbance>& disturbances);

[[nodiscard]] Json toJson(const std::vector<NodeAlert>& alerts);
// Skips what is no alert: the journal may be from another version.
[[nodiscard]] std::vector<NodeAlert> alertsFromJson(const Json& json);

// In words, with what helps, as it is at this time. Without rules only what is not about a log has words.
[[nodiscard]] std::vector<diagnosis::Hint> hintsOf(const diagnosis::Rules& rules,
                                                   const std::vector<NodeAlert>& alerts, TimePoint at);

}  // namespace dlperf::run
