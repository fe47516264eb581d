// SPDX-License-Identifier: Apache-2.0
// The same step on all nodes at once, a thread a node; returns when all are done.
#pragma once

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mapped.h"
#include "core/run/node_run.h"

namespace dlperf::run {

// step(NodeRun&, rank) -> Value; the values by rank.
template <class Step>
auto onAllNodes(std::vector<NodeRun>& nodes, Step step) {
    using Value = decltype(step(nodes.front(), std::size_t{0}));
    std::vector<std::optional<Value>> slots(nodes.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t rank = 1; rank < nodes.size(); ++rank) {
            threads.emplace_back([&, rank] { slots[rank] = step(nodes[rank], rank); });
        }
        slots[0] = step(nodes[0], 0);
    }
    return mapped(slots, [](auto& slot) { return *std::move(slot); });
}

}  // namespace dlperf::run
