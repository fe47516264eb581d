// SPDX-License-Identifier: Apache-2.0
// Follows a started run until there is a reason to end it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/run/log_follow.h"
#include "core/run/node_monitor.h"
#include "core/run/prepare_run.h"

namespace dlperf::run {

class RunMonitor {
public:
    RunMonitor(RunContext& run, std::vector<LogFollower>& logs, const LockHeartbeats& heartbeats);

    // Follows the logs of nodes where a trainer was started. An error when a copy cannot be written.
    [[nodiscard]] Result<void> start();
    [[nodiscard]] StopDecision untilEnd();
    // How long the node has not been reached; zero while it is.
    [[nodiscard]] std::chrono::milliseconds silenceOf(std::size_t rank) const;
    // Ends following a node. Nothing where none was followed.
    [[nodiscard]] std::optional<LogCopy> stop(std::size_t rank);

private:
    void publishProgress(RunPhase phase, std::string message, const std::vector<NodeAlert>& alerts);
    [[nodiscard]] bool readLogs();
    [[nodiscard]] bool answers(std::size_t rank) const;
    [[nodiscard]] std::vector<NodeAlert> findAlerts();
    [[nodiscard]] std::optional<StopDecision> checkExitCodes();
    [[nodiscard]] std::optional<StopDecision> findLostNode();
    [[nodiscard]] std::optional<StopDecision> checkTimeout() const;

    RunContext& run_;
    std::vector<LogFollower>& logs_;  // by rank, as all that follow
    const LockHeartbeats& heartbeats_;
    std::vector<std::unique_ptr<NodeMonitor>> monitors_;  // null where no script runs
    std::vector<StallDetector> stalls_;
    std::chrono::steady_clock::time_point othersReachedSince_{};
};

// The copy of what a node measures beside the log; nothing where it cannot be written.
[[nodiscard]] std::optional<LogCopy> openTelemetry(const RunContext& run, std::size_t rank);

}  // namespace dlperf::run
