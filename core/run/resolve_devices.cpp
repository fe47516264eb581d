// SPDX-License-Identifier: Apache-2.0
#include "core/run/resolve_devices.h"

#include "core/base/text.h"

namespace dlperf::run {
namespace {

constexpr const char* countGpus = "timeout 10 nvidia-smi -L 2>/dev/null | grep -c '^GPU '; exit 0";

}  // namespace

Result<cluster::Cluster> resolveDevices(cluster::Cluster cluster,
                                        const remote::TransportFactory& transports) {
    for (cluster::Node& node : cluster.nodes) {
        if (node.devices) {
            continue;
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
    }
    return cluster;
}

}  // namespace dlperf::run
