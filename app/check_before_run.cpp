// SPDX-License-Identifier: Apache-2.0
#include "app/check_before_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/run_inputs.h"
#include "app/stop_on_signal.h"
#include "core/launch/plan_nodes.h"
#include "core/remote/preflight.h"
#include "core/remote/slurm_job.h"

namespace dlperf::app {
namespace {

// What stops the plan.
std::vector<Error> problemsOf(const remote::Preflight& found, bool anyway) {
    std::vector<Error> problems;
    for (const remote::NodePreflight& node : found.nodes) {
        for (const cluster::Check& check : node.checks) {
            if (check.verdict == cluster::Verdict::Failed && check.stopsRun &&
                !(anyway && node.answer.facts)) {
                problems.push_back(node.answer.facts ? cluster::errorOf(check, node.answer.node.name)
                                                     : node.answer.error);
            }
        }
    }
    for (const cluster::Check& check : found.between) {
        if (check.verdict == cluster::Verdict::Failed && check.stopsRun && !anyway) {
            problems.push_back(cluster::errorOf(check, {}));
        }
    }
    return problems;
}

// The same warning of many nodes is one, and one line. Returns them, to be kept with the runs.
std::vector<RunFinding> warn(const remote::Preflight& found, bool anyway) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> nodesOf;  // warning, remedy
    const auto take = [&](const cluster::Check& check, const std::string& node) {
        if (check.verdict != cluster::Verdict::Passed && (anyway || !check.stopsRun)) {
            const std::string remedy = check.remedy.empty() ? "" : ". " + check.remedy;
            nodesOf[{fmt::format("{}: {}", check.title, check.summary), remedy}].push_back(node);
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
    std::vector<RunFinding> warnings;
    warnings.reserve(nodesOf.size());
    for (const auto& [warning, nodes] : nodesOf) {
        const auto& [what, remedy] = warning;
        const std::string where = cluster::named(nodes);
        std::cerr << told(fmt::format("warning: {}: {}{}", where, what, remedy)) << '\n';
        warnings.push_back({"check", what, where});
    }
    return warnings;
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

// The nodes are there only in a job, and looked at then; whether Slurm would give them is known now.
Result<void> checkSlurm(const cluster::Cluster& used, const remote::TransportFactory& transports) {
    StopOnSignal signals;
    const auto login = TRY(transports(*used.slurm->login));
    return remote::testJob(used, *login, static_cast<int>(used.nodes.size()), signals.token());
}

}  // namespace

Result<void> checkBeforeRun(const std::string& command, run::CampaignInputs& inputs,
                            const remote::TransportFactory& transports, bool anyway) {
    const auto used = TRY(launch::planNodes(inputs.plan, inputs.cluster, inputs.recipes));
    if (used.cluster.slurm) {
        return checkSlurm(used.cluster, transports);
    }
    remote::PreflightQuestions questions;
    questions.needs = used.needs;
    questions.recipes = used.recipes;
    questions.countData = false;
    questions.interfaces = used.interfaces;
    questions.links = used.cluster.nodes.size() > 1;
    StopOnSignal signals;  // while there is no runner yet that takes them
    const remote::Preflight found = remote::preflight(used.cluster, questions, signals.token(), transports);
    if (signals.isAsked()) {
        return fail("was interrupted", {}, {}, ErrorKind::Work);
    }
    inputs.warnings = warn(found, anyway);
    const std::vector<Error> problems = problemsOf(found, anyway);
    for (std::size_t i = 0; i + 1 < problems.size(); ++i) {
        (void)complain(command, problems[i]);
    }
    if (!problems.empty()) {
        return Failure(problems.back());
    }
    takeFound(inputs.cluster, found);
    return {};
}

}  // namespace dlperf::app
