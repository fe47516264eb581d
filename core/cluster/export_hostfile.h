// SPDX-License-Identifier: Apache-2.0
// A node list as a host file of mpirun, horovodrun and deepspeed.
#pragma once

#include <string>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// A line a node, "me@node1 slots=8", in the list's order; without slots where the number of devices is not
// known. This machine is "localhost". What such a file has no place for (names, ports, keys, containers) is
// said in comments where a node has it: there the SSH configuration is to know it. clusterFromHostfile reads
// it back.
[[nodiscard]] std::string hostfileOf(const Cluster& cluster);

}  // namespace dlperf::cluster
