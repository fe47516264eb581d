// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/bench_runs.h"
#include "core/base/error.h"
#include "core/cluster/compute_baseline.h"

namespace dlperf::app {

// Trains on one device of every node, all nodes at the same time and each by itself, so many times, as runs
// of a workspace of its own inside the given one, and keeps the baseline there; tells its progress on
// standard error. What did not work stands as missing. An error where nothing was measured, or where it was
// cancelled: then the last baseline stays.
[[nodiscard]] Result<cluster::ComputeBaseline> measureCompute(const BenchOptions& options, int repetitions);

}  // namespace dlperf::app
