// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/bench_runs.h"
#include "core/base/error.h"
#include "core/cluster/data_baseline.h"

namespace dlperf::app {

struct ReadingWanted {
    std::string folder;  // on every node; empty: each node's data_dir
    int seconds = 10;    // at most, and half as long for images
};

// Reads the folder on every node, all nodes at the same time, as a run of a workspace of its own inside the
// given one, and keeps the baseline there; tells its progress on standard error. What did not work stands as
// missing. An error where nothing was measured, or where it was cancelled: then the last baseline stays.
[[nodiscard]] Result<cluster::DataBaseline> measureData(const BenchOptions& options,
                                                        const ReadingWanted& wanted);

}  // namespace dlperf::app
