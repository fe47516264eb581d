// SPDX-License-Identifier: Apache-2.0
// The three stages of one run on its nodes: prepare, monitor, collect (run_execution.h goes through them).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/boot_clock.h"
#include "core/run/control.h"
#include "core/run/node_log.h"
#include "core/run/node_monitor.h"
#include "core/run/outcome.h"
#include "core/run/run_execution.h"

namespace dlperf::run {

using LockHeartbeats = std::vector<std::unique_ptr<LockHeartbeat>>;  // by rank; null where nothing is claimed

// From the claim of the nodes to the start of the trainers. Nodes that are claimed when a step fails stay
// claimed. `versions` are those that need not be asked again.
[[nodiscard]] Result<void> prepareRun(RunContext& run, const NodeVersions& versions,
                                      LockHeartbeats& heartbeats);

// Why who lends the node has taken it back; nothing where it is still there. To be asked once something went
// wrong there: each time it costs a question.
[[nodiscard]] std::optional<StopDecision> findWithdrawal(RunContext& run, const NodeRun& node);

// Follows a started run until there is a reason to end it.
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
    void noteRange();
    [[nodiscard]] bool isMeasured();
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
    BootClock::time_point due_{};  // the trainers' time is over
    std::chrono::steady_clock::time_point othersReachedSince_{};
    std::optional<std::chrono::steady_clock::time_point> rangeReachedAt_;
};

// What a node measures beside the log, in the workspace.
[[nodiscard]] std::filesystem::path telemetryFile(const RunContext& run, std::size_t rank);
// The copy of it; nothing where it cannot be written.
[[nodiscard]] std::optional<LogCopy> openTelemetry(const RunContext& run, std::size_t rank);

// SIGTERM to all that belongs to the run, SIGKILL after the grace period, then a check. Returns the processes
// that are left all the same.
[[nodiscard]] Result<std::vector<std::string>> stopOnNode(NodeRun& node, const Settings& settings);

// Reads the logs to their ends and gives the nodes back. An error when a log's copy cannot be opened here.
[[nodiscard]] Result<std::vector<NodeEnd>> collectRun(RunContext& run, RunMonitor& monitor,
                                                      std::vector<LogFollower>& logs,
                                                      LockHeartbeats& heartbeats);

}  // namespace dlperf::run
