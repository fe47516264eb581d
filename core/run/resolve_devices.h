// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/transport.h"

namespace dlperf::run {

// The cluster with "devices" filled in on nodes that do not say: the GPUs found there, without GPUs 2 CPU
// processes. A node that cannot be asked is an error.
[[nodiscard]] Result<cluster::Cluster> resolveDevices(cluster::Cluster cluster,
                                                      const remote::TransportFactory& transports);

}  // namespace dlperf::run
