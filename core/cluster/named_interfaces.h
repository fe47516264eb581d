// SPDX-License-Identifier: Apache-2.0
// Network interfaces that a plan names: whether nodes reach each other over them, by real connections. That
// an interface is up says nothing of where its cable ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/link_checks.h"

namespace dlperf::cluster {

// "ib0,ib1", as NCCL and Gloo take several: each once, without empty ones.
[[nodiscard]] std::vector<std::string> interfacesIn(std::string_view list);

// By which address of `to` its interface is to be reached from the other node's of that name: one of a
// network that both have, else any; IPv4 before IPv6, by which some programs do not listen. Nothing where it
// has none, or is down; a link-local address (fe80:) does not count, for it says nothing of which link.
[[nodiscard]] std::optional<std::string> addressOver(const std::string& interface, const NodeFacts& from,
                                                     const NodeFacts& to);

// Asks a node why it has no address there: `ip` says what the interface is, or that there is none; else the
// shell says that there is no `ip`.
[[nodiscard]] std::string interfaceScript(const std::string& interface);

// Of the connections in NodeLinks::over: how they went, and a warning that names the nodes on which not all
// could be tried. `links` is by node, in the order of `nodes`; nodes that were not reached are passed over.
[[nodiscard]] std::vector<Check> checkNamedInterface(const std::string& interface,
                                                     const std::vector<NodeAnswer>& nodes,
                                                     const std::vector<NodeLinks>& links);

}  // namespace dlperf::cluster
