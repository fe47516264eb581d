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
    const auto transport = TRY(transports(node));
    const auto counted = TRY(transport->run({countGpus, {}}, {}));
    const int gpus = toInt(trim(counted.output)).value_or(0);
    node.devices = gpus > 0 ? gpus : cluster::cpuProcesses;
    return {};
}

}  // namespace

Result<cluster::Cluster> resolveNodes(cluster::Cluster cluster, const remote::TransportFactory& transports) {
    std::vector<Result<void>> done(cluster.nodes.size());
    remote::onAll(cluster.nodes.size(), [&](std::size_t i) {
        cluster::Node& node = cluster.nodes[i];
        done[i] = remote::resolveAddress(node, {});
        if (done[i]) {
            done[i] = resolveDevices(node, transports);
        }
    });
    TRY(firstFailure(done));
    return cluster;
}

}  // namespace dlperf::run
