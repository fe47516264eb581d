// SPDX-License-Identifier: Apache-2.0
// Follows one node of a run in a thread of its own: copies the log, notices the trainer's end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/analysis/pace.h"
#include "core/base/boot_clock.h"
#include "core/run/node_alert.h"
#include "core/run/node_log.h"
#include "core/run/node_run.h"

namespace dlperf::run {

// Keeps a node that a run has taken: refreshes its lock in a thread of its own while the runner works, for a
// lock that nobody refreshes is stale once nothing of its run is alive there.
class LockHeartbeat {
public:
    LockHeartbeat(NodeRun& node, std::chrono::milliseconds every);

    // Why the node is no longer this run's; nothing while it is, or cannot be asked.
    [[nodiscard]] std::optional<Error> lost() const;

private:
    void refresh(const std::stop_token& stop);

    NodeRun& node_;
    std::chrono::milliseconds every_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Error> lost_;
    std::jthread thread_;  // last: it uses all of the above
};

struct NodeReport {
    bool askedWhenDue = false;  // it was asked for the trainer's end, or tried to be, in a look that began
                                // when the trainer's time was over
    std::uint64_t logBytes = 0;
    std::optional<int> exitCode;       // the trainer ended
    bool vanished = false;             // it is dead and left no exit code
    std::optional<Error> error;        // of following; final
    std::optional<Error> unreachable;  // not reached now; tried again with back-off
    std::chrono::steady_clock::time_point lastReached;

    bool ended() const { return exitCode || vanished; }
};

class NodeMonitor {
public:
    // `poll` is the time between two looks at the log; at `due` the trainer's time is over. Telemetry is
    // copied beside it, as far as that works.
    NodeMonitor(NodeRun& node, Identity identity, LogCopy copy, std::optional<LogCopy> telemetry,
                std::chrono::milliseconds poll, BootClock::time_point due);

    [[nodiscard]] NodeReport report() const;
    // Ends the thread; the copy may lack the log's end, so catch up once more afterwards.
    [[nodiscard]] LogCopy stop();

private:
    void follow(const std::stop_token& stop);
    [[nodiscard]] Result<bool> lookAtLog(const std::stop_token& stop);
    [[nodiscard]] Result<void> lookAtTrainer(bool due, const std::stop_token& stop);
    void setAskedWhenDue();
    void lookAtTelemetry(const std::stop_token& stop);

    NodeRun& node_;
    Identity identity_;
    LogCopy copy_;
    std::optional<LogCopy> telemetry_;
    std::chrono::milliseconds poll_;
    BootClock::time_point due_;
    bool grew_ = false;  // the log, at the last look
    std::chrono::steady_clock::time_point nextLife_{};
    std::chrono::steady_clock::time_point nextTelemetry_{};
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    NodeReport report_;
    std::jthread thread_;  // last: it uses all of the above
};

// Whether a node of a running run still gives a sign of itself: it is reached, and its log grows as often as
// it usually does.
class StallDetector {
public:
    // A loss of the way there that is shorter than `unreachableGrace` is nothing.
    StallDetector(std::string node, std::chrono::milliseconds unreachableGrace)
        : node_(std::move(node)), unreachableGrace_(unreachableGrace) {}

    // What is wrong with the node now.
    [[nodiscard]] std::optional<NodeAlert> check(const diagnosis::Rules& rules, const NodeReport& report,
                                                 const analysis::Pace& pace, bool othersAnswer);

private:
    using Clock = std::chrono::steady_clock;

    std::string node_;
    std::chrono::milliseconds unreachableGrace_;
    std::uint64_t logBytes_ = 0;
    Clock::time_point grown_ = Clock::now();
    // An alert keeps the time it began.
    std::optional<NodeAlert> alert_;
};

}  // namespace dlperf::run
