// SPDX-License-Identifier: Apache-2.0
#include "core/remote/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "core/remote/on_all.h"
#include "core/remote/probe_links.h"
#include "core/remote/probe_node.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

cluster::Check reachedBy(const Transport& transport, double seconds) {
    const std::string way = transport.route().way;
    return {"Reachable",
            cluster::Verdict::Passed,
            way.empty() ? "this machine" : fmt::format("over SSH, by {}, in {:.2f} s", way, seconds),
            {},
            {},
            {},
            {}};
}

// Asked for nothing yet: how long that takes is the time to reach the node.
Result<void> reach(Transport& transport, NodePreflight& node, const std::stop_token& stop) {
    const auto begin = Clock::now();
    const auto said = transport.run({"exit 0", {}}, {Limits{}.deadline, stop});
    if (!said) {
        return Failure(said.error());
    }
    node.reachedAfter = std::chrono::duration<double>(Clock::now() - begin).count();
    node.checks = {reachedBy(transport, *node.reachedAfter)};
    return {};
}

void askNode(NodePreflight& node, Transport& transport, const cluster::Needs& needs, bool countData,
             const std::stop_token& stop) {
    auto facts = probeNode(transport, node.answer.node, {needs.commands, countData}, stop);
    if (!facts) {
        node.answer.error = facts.error();
        node.reachedAfter.reset();
        node.checks = {cluster::notReached(node.answer.error)};
        return;
    }
    node.answer.facts = *std::move(facts);
    (void)resolveAddress(node.answer.node, {Limits{}.deadline, stop});  // it was reached all the same
    std::ranges::move(cluster::checkNode(node.answer.node, *node.answer.facts, needs),
                      std::back_inserter(node.checks));
}

using Transports = std::vector<std::shared_ptr<Transport>>;

// The transports of the nodes that could be reached; null for the others.
Transports reachAll(Preflight& found, const std::stop_token& stop, const TransportFactory& transports) {
    Transports opened(found.nodes.size());
    onAll(found.nodes.size(), [&](std::size_t i) {
        NodePreflight& node = found.nodes[i];
        const auto transport = transports(node.answer.node);
        const auto reached = transport ? reach(**transport, node, stop) : Failure(transport.error());
        if (reached) {
            opened[i] = *transport;
        } else {
            node.answer.error = reached.error();
            node.checks = {cluster::notReached(node.answer.error)};
        }
    });
    return opened;
}

// All are reached before the first is asked: what they have to do then must not make others late that share
// their machine.
Transports askAll(Preflight& found, const PreflightQuestions& questions, const std::stop_token& stop,
                  const TransportFactory& transports) {
    Transports opened = reachAll(found, stop, transports);
    onAll(found.nodes.size(), [&](std::size_t i) {
        NodePreflight& node = found.nodes[i];
        if (opened[i] && !questions.reachOnly) {
            askNode(node, *opened[i], questions.needs.empty() ? cluster::Needs() : questions.needs[i],
                    questions.countData, stop);
        }
        if (questions.answered) {
            questions.answered(i);
        }
    });
    return opened;
}

}  // namespace

Preflight preflight(const cluster::Cluster& cluster, const PreflightQuestions& questions,
                    const std::stop_token& stop, const TransportFactory& transports) {
    Preflight found;
    for (const cluster::Node& node : cluster.nodes) {
        found.nodes.push_back({{node, {}, {}}, {}, {}});
    }
    const Transports opened = askAll(found, questions, stop, transports);
    if (questions.reachOnly) {
        return found;
    }
    std::vector<cluster::NodeAnswer> answers;
    for (const NodePreflight& node : found.nodes) {
        answers.push_back(node.answer);
    }
    found.between = cluster::checkCluster(answers);
    if (questions.links && !stop.stop_requested()) {
        const bool ssh = std::ranges::any_of(questions.needs, &cluster::Needs::sshBetweenNodes);
        std::ranges::move(cluster::checkLinks(answers, probeLinks(answers, opened, ssh, stop)),
                          std::back_inserter(found.between));
    }
    return found;
}

std::vector<cluster::Check> checkBetween(std::vector<cluster::NodeAnswer> nodes, const std::stop_token& stop,
                                         const TransportFactory& transports) {
    Transports opened(nodes.size());
    onAll(nodes.size(), [&](std::size_t i) {
        auto transport = nodes[i].facts ? transports(nodes[i].node) : Failure(nodes[i].error);
        if (transport) {
            opened[i] = *std::move(transport);
            (void)resolveAddress(nodes[i].node, {Limits{}.deadline, stop});
        } else {
            nodes[i].facts.reset();
        }
    });
    std::vector<cluster::Check> checks = cluster::checkCluster(nodes);
    std::ranges::move(cluster::checkLinks(nodes, probeLinks(nodes, opened, false, stop)),
                      std::back_inserter(checks));
    return checks;
}

}  // namespace dlperf::remote
