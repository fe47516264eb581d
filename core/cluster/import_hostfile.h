// SPDX-License-Identifier: Apache-2.0
// Host files of mpirun, horovodrun and deepspeed as node lists.
#pragma once

#include <string>
#include <string_view>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// Lines "host", "host slots=4", "host:4", "user@host slots=4"; "#" begins a comment, other words behind the
// host are passed over. Slots are devices; those of a host that stands there again are added. An Input error
// names the line that is none.
[[nodiscard]] Result<Cluster> clusterFromHostfile(std::string_view text, const std::string& where);

}  // namespace dlperf::cluster
