// SPDX-License-Identifier: Apache-2.0
#include "core/run/resolve_nodes.h"

#include "core/base/text.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::run {
namespace {

constexpr const char* countGpus = "timeout 10 nvidia-smi -L 2>/dev/null | grep -c '^GPU '; exit 0";

Result<void> resolveDevices(cluster::Node& node, const remote::TransportFactory& transports) {
    if (node.devices) {
        return {};
    }
    const auto transport = transports(node);
    if (!transport) {
        return Failure(transport.error());
    }
    const auto counted = (*transport)->run({countGpus, {}}, {});
    if (!counted) {
        return Failure(counted.error());
    }
    const int gpus = toInt(trim(counted->output)).value_or(0);
    node.devices = gpus > 0 ? gpus : cluster::cpuProcesses;
    return {};
}

}  // namespace

Result<cluster::Cluster> resolveNodes(cluster::Cluster cluster, const remote::TransportFactory& transports) {
    for (cluster::Node& node : cluster.nodes) {
        if (auto done = remote::resolveAddress(node, {}); !done) {
            return Failure(done.error());
        }
        if (auto done = resolveDevices(node, transports); !done) {
            return Failure(done.error());
        }
    }
    return cluster;
}

}  // namespace dlperf::run
