// SPDX-License-Identifier: Apache-2.0
#include "core/remote/probe_node.h"

namespace dlperf::remote {
namespace {

// More than the script allows driver (4 x 20 s), data set (20 s) and setup (90 s) together.
constexpr Milliseconds patience{200'000};
constexpr Milliseconds clockPatience{10'000};

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// On a session that stands, so that only the way there and back is in doubt.
std::optional<cluster::Clock> askClock(Transport& transport, const std::stop_token& stop) {
    const double asked = now();
    const auto printed = transport.run({cluster::clockScript, {}}, {clockPatience, stop});
    return printed ? cluster::clockOf(printed->output, asked, now()) : std::nullopt;
}

}  // namespace

Result<cluster::NodeFacts> probeNode(Transport& transport, const cluster::Node& node,
                                     const cluster::ProbeQuestions& questions, const std::stop_token& stop) {
    const auto printed = transport.run({cluster::probeScript(node, questions), {}}, {patience, stop});
    if (!printed) {
        return Failure(printed.error());
    }
    cluster::NodeFacts facts = cluster::parseProbe(printed->output);
    facts.clock = askClock(transport, stop);
    facts.route = transport.route();
    return facts;
}

Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::stop_token& stop,
                                     const TransportFactory& transports) {
    const auto transport = transports(node);
    return transport ? probeNode(**transport, node, {}, stop) : Failure(transport.error());
}

}  // namespace dlperf::remote
