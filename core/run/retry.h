// SPDX-License-Identifier: Apache-2.0
// Running again: what has no figure, in its own campaign; a case that has one, as a plan of its own for a new
// campaign with the cluster and the recipes of the old one.
#pragma once

#include <filesystem>
#include <set>

#include "core/run/campaign.h"

namespace dlperf::run {

// Ended without a figure, in the range that it was run with as in the one it has now.
[[nodiscard]] bool mayRetry(const RunState& run);
// Failed, cancelled, never run, or short of its range. Not what ran out of memory: it would again.
[[nodiscard]] bool isWorthRetrying(const RunState& run);
// The ids of such runs.
[[nodiscard]] std::set<std::string> retryable(const Campaign& campaign);

// Queues runs of the campaign that ended without a figure once more, all that are retryable() where none is
// named; resuming the campaign runs them. The caller has the workspace's lock. An Input error names a run
// that cannot be retried, and nothing is queued.
[[nodiscard]] Result<void> retryRuns(const store::Workspace& workspace, const std::string& campaignId,
                                     std::set<std::string> runIds);

// The campaign's plan for these runs alone. An Input error if none of them is the campaign's.
[[nodiscard]] Result<launch::Plan> retryPlan(const launch::Plan& plan, const Campaign& campaign,
                                             const std::set<std::string>& runIds);

// What `dlperf run` is given: the new plan, and the old campaign's own copies.
struct Retry {
    std::filesystem::path plan;
    std::filesystem::path cluster;
    std::filesystem::path recipes;
};
// Writes W/plans/retry-<campaign>.json.
[[nodiscard]] Result<Retry> writeRetry(const store::Workspace& workspace, const Campaign& campaign,
                                       const std::set<std::string>& runIds);

}  // namespace dlperf::run
