// SPDX-License-Identifier: Apache-2.0
#include "app/node_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/told.h"
#include "core/base/mapped.h"

namespace dlperf::app {
namespace {

// The node that the reason of a failed run begins with: "node c: the trainer ended with exit code 3". Empty
// where it is none of these.
std::string culpritOf(const std::string& reason, const std::vector<std::string>& nodes) {
    std::string culprit;
    for (const std::string& node : nodes) {
        const std::string start = "node " + node;
        const bool isNamed = reason.starts_with(start + ":") || reason.starts_with(start + " ");
        culprit = isNamed && node.size() > culprit.size() ? node : culprit;
    }
    return culprit;
}

}  // namespace

NodeBench::NodeBench(BenchRuns runs)
    : runs_(std::move(runs)), nodes_(mapped(runs_.cluster().nodes, &cluster::Node::name)) {}

Result<std::vector<NodeBench::NodeLog>> NodeBench::run(launch::Plan plan, const std::string& title) {
    while (!nodes_.empty()) {
        plan.topologies = {Topology{static_cast<int>(nodes_.size()), 1}};
        plan.nodes = runs_.cluster().slurm ? std::vector<std::string>() : nodes_;
        const auto ended = TRY(runs_.run(plan, title));
        TRY(runs_.checkNotCancelled());
        if (ended.outcome != Outcome::Ok && ended.outcome != Outcome::Short) {
            leaveOut(ended);
            continue;
        }
        std::vector<NodeLog> logs;
        logs.reserve(ended.nodes.size());
        for (std::size_t rank = 0; rank < ended.nodes.size(); ++rank) {
            logs.push_back({ended.nodes[rank], runs_.logOf(ended, rank)});
        }
        return logs;
    }
    return std::vector<NodeLog>();
}

void NodeBench::leaveOut(const run::RunState& failed) {
    const std::string culprit = runs_.cluster().slurm ? std::string() : culpritOf(failed.reason, nodes_);
    for (const std::string& node : nodes_) {
        if (culprit.empty() || node == culprit) {
            leftOut_.push_back({node, reasonOf(failed)});
        }
    }
    std::erase_if(nodes_, [&](const std::string& node) { return culprit.empty() || node == culprit; });
}

std::string nodesTitle(const NodeBench& bench) {
    const std::size_t count = bench.nodes().size();
    return told(count == 1 ? std::string("one node") : fmt::format("{} nodes, each by itself", count));
}

}  // namespace dlperf::app
