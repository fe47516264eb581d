// SPDX-License-Identifier: Apache-2.0
// What others ask the runner, as files in W/requests/: written whole by rename (status.h), taken once here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/lock.h"
#include "core/run/status.h"

namespace dlperf::run {

struct TakenRequest {
    Request request = Request::Cancel;
    std::string runId;  // of CancelRun
};

struct TakenRequests {
    std::vector<TakenRequest> requests{};  // in the order of their making
    std::optional<Error> stuck{};          // a file that cannot be removed; it is not taken
};

// Takes the requests and removes their files; what is no request is removed too.
[[nodiscard]] TakenRequests takeRequests(const store::Workspace& workspace);

// Writes a request to the runner that has the workspace. One on another host may be gone: then a Work error
// says so unless the request is taken soon.
[[nodiscard]] Result<void> askRunner(const store::Workspace& workspace, const LockOwner& owner,
                                     Request request, const std::string& runId = {});

}  // namespace dlperf::run
