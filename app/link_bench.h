// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/cluster/link_baseline.h"
#include "core/remote/transport.h"

namespace dlperf::app {

struct LinkBenchOptions {
    std::string cluster;    // empty: this machine
    std::string workspace;  // made if missing
    remote::TransportFactory transports;
};

// Measures each two nodes, all together and the devices of each node, one after another, as runs of a
// workspace of its own inside the given one, and keeps the baseline there; tells its progress on standard
// error. What did not work stands as missing. An error where nothing was measured, or where it was cancelled:
// then the last baseline stays.
[[nodiscard]] Result<cluster::LinkBaseline> measureLinks(const LinkBenchOptions& options);

}  // namespace dlperf::app
