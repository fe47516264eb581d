// SPDX-License-Identifier: Apache-2.0
// What others ask the runner, as files in W/requests/: written whole by rename (status.h), taken once here.
#pragma once

#include <string>
#include <vector>

#include "core/run/status.h"

namespace dlperf::run {

struct TakenRequest {
    Request request = Request::Cancel;
    std::string runId;  // of CancelRun
};

// Takes the requests in the order of their making and removes their files; what is no request is removed too.
[[nodiscard]] std::vector<TakenRequest> takeRequests(const store::Workspace& workspace);

}  // namespace dlperf::run
