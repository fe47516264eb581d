// SPDX-License-Identifier: Apache-2.0
#include "core/remote/probe_node.h"

#include "core/remote/transport.h"

namespace dlperf::remote {
namespace {

constexpr Milliseconds patience{120'000};  // the sum of what the script allows driver, Python and setup

}  // namespace

Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::stop_token& stop) {
    const auto transport = openTransport(node);
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
