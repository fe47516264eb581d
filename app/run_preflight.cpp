// SPDX-License-Identifier: Apache-2.0
#include "app/run_preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "app/run_inputs.h"
#include "core/base/text.h"
#include "core/cluster/named.h"
#include "core/launch/plan_nodes.h"
#include "core/remote/preflight.h"

namespace dlperf::app {
namespace {

Error errorOf(const remote::NodePreflight& node, const cluster::Check& check) {
    if (!node.answer.facts) {
        return node.answer.error;
    }
    return {lower(check.title) + ": " + check.summary, "node " + node.answer.node.name, check.remedy + ".",
            ErrorKind::Work};
}

// Every problem, of which the last is not told here.
std::vector<Error> problemsOf(const remote::Preflight& found) {
    std::vector<Error> problems;
    for (const remote::NodePreflight& node : found.nodes) {
        for (const cluster::Check& check : node.checks) {
            if (check.verdict == cluster::Verdict::Failed && check.stopsRun) {
                problems.push_back(errorOf(node, check));
            }
        }
    }
    return problems;
}

// The same warning of many nodes is one line.
void warn(const remote::Preflight& found) {
    std::map<std::string, std::vector<std::string>> lines;
    const auto take = [&](const cluster::Check& check, const std::string& node) {
        if (check.verdict != cluster::Verdict::Passed && !check.stopsRun) {
            const std::string remedy = check.remedy.empty() ? "" : ". " + check.remedy;
            lines[fmt::format("{}: {}{}", check.title, check.summary, remedy)].push_back(node);
        }
    };
    for (const remote::NodePreflight& node : found.nodes) {
        for (const cluster::Check& check : node.checks) {
            take(check, node.answer.node.name);
        }
    }
    for (const cluster::Check& check : found.between) {
        take(check, "between the nodes");
    }
    for (const auto& [line, nodes] : lines) {
        std::cerr << "warning: " << printable(cluster::named(nodes)) << ": " << printable(line) << '\n';
    }
}

// What the nodes' list leaves to be found. Nodes that no run reaches are not asked, and stay as they are.
void takeFound(cluster::Cluster& cluster, const remote::Preflight& found) {
    for (const remote::NodePreflight& node : found.nodes) {
        const auto same = std::ranges::find(cluster.nodes, node.answer.node.name, &cluster::Node::name);
        if (same != cluster.nodes.end() && node.answer.facts) {
            same->devices = node.answer.facts->devices(*same);
            same->address = node.answer.node.address;
            same->port = node.answer.node.port;
        }
    }
}

}  // namespace

Result<void> checkBeforeRun(run::CampaignInputs& inputs, const remote::TransportFactory& transports) {
    const auto used = launch::planNodes(inputs.plan, inputs.cluster, inputs.recipes);
    if (!used) {
        return Failure(used.error());
    }
    remote::PreflightQuestions questions;
    questions.needs = used->needs;
    questions.countData = false;
    questions.links = used->cluster.nodes.size() > 1;
    const remote::Preflight found = remote::preflight(used->cluster, questions, {}, transports);
    warn(found);
    const std::vector<Error> problems = problemsOf(found);
    for (std::size_t i = 0; i + 1 < problems.size(); ++i) {
        (void)complain("run", problems[i]);
    }
    if (!problems.empty()) {
        return Failure(problems.back());
    }
    takeFound(inputs.cluster, found);
    return {};
}

}  // namespace dlperf::app
