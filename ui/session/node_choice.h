// SPDX-License-Identifier: Apache-2.0
// Which nodes a plan uses, and in which order. As in a plan: none named means all of the list, in its order.
#pragma once

#include <string>
#include <vector>

namespace dlperf::ui {

using NodeNames = std::vector<std::string>;

// The nodes that are used, in the order of their ranks.
[[nodiscard]] NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all);

// With or without one. A node that comes back takes its place in the list's order among the others; the last
// one stays, as a plan without nodes would use all.
[[nodiscard]] NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node,
                                 bool on);
// With this one as node 0, the master.
[[nodiscard]] NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node);

}  // namespace dlperf::ui
