// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/transport.h"

namespace dlperf::run {

// The cluster with what its nodes do not say filled in, so that every node's script sees the same:
//  * "address" and "port" of nodes over SSH, as the SSH configuration resolves their host;
//  * "devices": the GPUs found there, without GPUs 2 CPU processes. A node that cannot be asked is an error.
[[nodiscard]] Result<cluster::Cluster> resolveNodes(cluster::Cluster cluster,
                                                    const remote::TransportFactory& transports);

}  // namespace dlperf::run
