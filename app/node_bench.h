// SPDX-License-Identifier: Apache-2.0
// Runs on all nodes at the same time in which each node works by itself.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/bench_runs.h"

namespace dlperf::app {

class NodeBench {
public:
    explicit NodeBench(BenchRuns runs);

    struct NodeLog {
        std::string node;
        std::filesystem::path file;
    };
    // The logs that one run left, of the nodes that are still in it. A node that keeps the others from it is
    // left out, of later runs as well, and the run begins anew without it. With Slurm, which chooses the
    // nodes of a job, nobody can be left out: then all are.
    [[nodiscard]] Result<std::vector<NodeLog>> run(launch::Plan plan, const std::string& title);

    struct LeftOut {
        std::string node;
        std::string reason;
    };
    [[nodiscard]] const std::vector<LeftOut>& leftOut() const { return leftOut_; }
    // Names of the nodes that are still in it, in the cluster's order; with Slurm they mean nothing.
    [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
    [[nodiscard]] const BenchRuns& runs() const { return runs_; }

private:
    void leaveOut(const run::RunState& failed);

    BenchRuns runs_;
    std::vector<std::string> nodes_;
    std::vector<LeftOut> leftOut_;
};

// "4 nodes, each by itself", in the terminal's language.
[[nodiscard]] std::string nodesTitle(const NodeBench& bench);

// What is known of this node, a new one where that is nothing yet. A node has a name in `node`, and in
// `missing` why something is not known of it.
template <class Node>
Node& nodeIn(std::vector<Node>& nodes, const std::string& name) {
    const auto found = std::ranges::find(nodes, name, &Node::node);
    return found != nodes.end() ? *found : nodes.emplace_back(Node{.node = name});
}

// All nodes in the cluster's order, of which nothing is known yet; none with Slurm, which chooses them.
template <class Node>
std::vector<Node> nodesToMeasure(const NodeBench& bench) {
    std::vector<Node> nodes;
    if (!bench.runs().cluster().slurm) {
        for (const std::string& node : bench.nodes()) {
            (void)nodeIn(nodes, node);
        }
    }
    return nodes;
}

// Why nodes were left out; with Slurm all of them.
template <class Node>
void addLeftOut(std::vector<Node>& nodes, const NodeBench& bench) {
    for (const NodeBench::LeftOut& left : bench.leftOut()) {
        if (!bench.runs().cluster().slurm) {
            nodeIn(nodes, left.node).missing = left.reason;
            continue;
        }
        for (Node& node : nodes) {
            node.missing = left.reason;
        }
    }
}

// A Work error where no node was measured.
template <class Node>
Result<void> checkAnyMeasured(const std::vector<Node>& nodes, const NodeBench& bench) {
    if (std::ranges::any_of(nodes, &Node::isMeasured)) {
        return {};
    }
    const std::string why = !bench.leftOut().empty() ? bench.leftOut().back().reason
                            : nodes.empty()          ? "there is none"
                                                     : nodes.back().missing;
    return fail("no node could be measured: " + why, bench.runs().cluster().name, {}, ErrorKind::Work);
}

}  // namespace dlperf::app
