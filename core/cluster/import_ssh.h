// SPDX-License-Identifier: Apache-2.0
// The hosts of an SSH configuration as a node list.
#pragma once

#include <filesystem>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// Every name of a Host line that is no pattern, in the files' order, with what Include brings in. How a host
// is reached (port, user, key, jumps) stays in the configuration, which is asked when it is. An Input error
// when there is none.
[[nodiscard]] Result<Cluster> clusterFromSsh(const std::filesystem::path& config);

}  // namespace dlperf::cluster
