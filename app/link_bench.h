// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/bench_runs.h"
#include "core/base/error.h"
#include "core/cluster/link_baseline.h"

namespace dlperf::app {

// Measures each two nodes, all together and the devices of each node, one after another, as runs of a
// workspace of its own inside the given one, and keeps the baseline there; tells its progress on standard
// error. `backend`, auto or cpu: from GPU to GPU where that goes, or by way of the hosts everywhere. What did
// not work stands as missing. An error where nothing was measured, or where it was cancelled: then the last
// baseline stays.
[[nodiscard]] Result<cluster::LinkBaseline> measureLinks(const BenchOptions& options,
                                                         const std::string& backend);

}  // namespace dlperf::app
