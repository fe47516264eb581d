// SPDX-License-Identifier: Apache-2.0
#include "core/remote/probe_node.h"

namespace dlperf::remote {
namespace {

// More than the script allows driver (4 x 20 s), Python (30 s) and setup (60 s) together.
constexpr Milliseconds patience{200'000};

}  // namespace

Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::stop_token& stop,
                                     const TransportFactory& transports) {
    const auto transport = transports(node);
    if (!transport) {
        return Failure(transport.error());
    }
    const auto printed = (*transport)->run({cluster::probeScript(node), {}}, {patience, stop});
    if (!printed) {
        return Failure(printed.error());
    }
    return cluster::parseProbe(printed->output);
}

}  // namespace dlperf::remote
