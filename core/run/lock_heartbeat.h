// SPDX-License-Identifier: Apache-2.0
// Keeps a node that a run has taken: refreshes its lock in a thread of its own while the runner works, for a
// lock that nobody refreshes is stale once nothing of its run is alive there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "core/run/node_run.h"

namespace dlperf::run {

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

}  // namespace dlperf::run
