// SPDX-License-Identifier: Apache-2.0
#include "ui/session/node_choice.h"

#include <algorithm>

namespace dlperf::ui {
namespace {

// All of them in their order need not be named, so that a node that is added later takes part.
NodeNames asPlanned(NodeNames used, const NodeNames& all) {
    return used == all ? NodeNames{} : std::move(used);
}

}  // namespace

NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all) {
    return chosen.empty() ? all : chosen;
}

NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node, bool on) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    if (on) {
        const auto place = std::ranges::find(all, node);
        const auto next = std::ranges::find_if(
            used, [&](const std::string& other) { return std::find(place, all.end(), other) != all.end(); });
        used.insert(next, node);
    }
    return used.empty() ? chosen : asPlanned(std::move(used), all);
}

NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    used.insert(used.begin(), node);
    return asPlanned(std::move(used), all);
}

}  // namespace dlperf::ui
