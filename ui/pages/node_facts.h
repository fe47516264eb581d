// SPDX-License-Identifier: Apache-2.0
// What a probe found, as facts to show: one list for each tab of a node's details.
#pragma once

#include "ui/session/node_list.h"
#include "ui/widgets/fact_grid.h"

namespace dlperf::ui {

// Whether, by which way and as whom the node is reached; without a check what its settings say.
[[nodiscard]] Facts connectionFacts(const NodeEntry& entry);
// With the connection first.
[[nodiscard]] Facts overviewFacts(const NodeEntry& entry);
[[nodiscard]] Facts networkFacts(const NodeEntry& entry);
[[nodiscard]] Facts softwareFacts(const NodeEntry& entry);

}  // namespace dlperf::ui
