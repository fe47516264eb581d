// SPDX-License-Identifier: Apache-2.0
// Network interfaces that a plan names: whether nodes reach each other over them, by real connections. That
// an interface is up says nothing of where its cable ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cluster/link_checks.h"

namespace dlperf::cluster {

// By which address of `to` its interface is to be reached from the other node's of that name: one of a
// network that both have, else its first. Nothing where it has none, or is down.
[[nodiscard]] std::optional<std::string> addressOver(const std::string& interface, const NodeFacts& from,
                                                     const NodeFacts& to);

// Of the connections in NodeLinks::over. `links` is by node, in the order of `nodes`; nodes that were not
// reached, or do not say what interfaces they have, are passed over.
[[nodiscard]] Check checkNamedInterface(const std::string& interface, const std::vector<NodeAnswer>& nodes,
                                        const std::vector<NodeLinks>& links);

}  // namespace dlperf::cluster
