// SPDX-License-Identifier: Apache-2.0
// What runs: read from the workspace's files alone, so that the window, `dlperf status` and a second person
// see the same.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/run_state.h"
#include "core/store/file_stamp.h"
#include "core/store/ranges.h"
#include "core/store/workspace.h"

namespace dlperf::run {

// A campaign that cannot be read is missing; `problems` says why.
struct WorkspaceStatus {
    std::vector<Campaign> campaigns;  // newest last
    std::vector<Error> problems;
};

// For who looks again and again: reads only what changed since the last look. Never blocks on the runner.
// Used by one thread at a time.
class StatusReader {
public:
    explicit StatusReader(store::Workspace workspace) : workspace_(std::move(workspace)) {}

    [[nodiscard]] WorkspaceStatus read();

private:
    struct Known;  // a campaign as it was at the last look
    using Campaigns = std::map<std::string, std::shared_ptr<Known>>;

    [[nodiscard]] Result<std::shared_ptr<Known>> look(const std::string& id);

    void applyRanges(WorkspaceStatus& status);

    store::Workspace workspace_;
    Campaigns known_;  // by id
    std::optional<store::FileStamp> rangesStamp_;
    store::ChangedRanges ranges_;  // as they were at that stamp
};

// One look.
[[nodiscard]] WorkspaceStatus readStatus(const store::Workspace& workspace);

// KeepRun takes CancelRun back, as long as the run has not begun to end.
enum class Request { Cancel, CancelRun, KeepRun, Pause, Continue };
// A file under W/requests/ that the runner picks up within a second. runId only for CancelRun and KeepRun;
// `others`: more runs, of which the same is asked.
[[nodiscard]] Result<void> writeRequest(const store::Workspace& workspace, Request request,
                                        const std::string& runId = {},
                                        const std::vector<std::string>& others = {});

}  // namespace dlperf::run
