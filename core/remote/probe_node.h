// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/cluster/probe.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

// Asks the node what it is, within 200 s. An error says why it could not be asked. Transports that ask the
// user (interactiveTransports) make it wait for him.
[[nodiscard]] Result<cluster::NodeFacts> probeNode(const cluster::Node& node, const std::stop_token& stop,
                                                   const TransportFactory& transports = openTransport);

// The same for who goes on with the node afterwards.
[[nodiscard]] Result<cluster::NodeFacts> probeNode(Transport& transport, const cluster::Node& node,
                                                   const cluster::ProbeQuestions& questions,
                                                   const std::stop_token& stop);

}  // namespace dlperf::remote
