// SPDX-License-Identifier: Apache-2.0
// What a probe found, as facts to show: one list for each tab of a node's details.
#pragma once

#include "ui/session/node_list.h"
#include "ui/widgets/fact_grid.h"

namespace dlperf::ui {

[[nodiscard]] Facts overviewFacts(const NodeEntry& entry);
[[nodiscard]] Facts networkFacts(const NodeEntry& entry);
[[nodiscard]] Facts softwareFacts(const NodeEntry& entry);

}  // namespace dlperf::ui
