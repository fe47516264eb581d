// SPDX-License-Identifier: Apache-2.0
// What runs hold of a cluster's nodes, whichever workspace began them, and its end.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "app/commands.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/slurm_job.h"
#include "core/run/control.h"
#include "core/run/on_all_nodes.h"
#include "core/run/work_on_nodes.h"

namespace dlperf::app {
namespace {

struct PsOptions {
    std::string cluster;
    std::vector<std::string> runs;
    bool dryRun = false;
};

struct NodeWork {
    run::NodeRun node;
    std::vector<run::WorkOnNode> runs;
};

std::string timeText(std::chrono::seconds time) {
    const long seconds = time.count();
    return seconds < 120    ? fmt::format("{} s", seconds)
           : seconds < 7200 ? fmt::format("{} min", seconds / 60)
                            : fmt::format("{} h", seconds / 3600);
}

std::string describeWork(const run::WorkOnNode& work) {
    const std::size_t count = work.pids.size();
    std::string text = "run " + printable(work.run);
    text += work.silence
                ? fmt::format(", {} {} ago", work.hasRunner() ? "its runner was heard of" : "no runner since",
                              timeText(*work.silence))
                : ", no lock";
    if (count == 0) {
        return text + "\n    no process, only its lock\n";
    }
    return text + fmt::format("\n    {} {}, the oldest for {}: {}\n", count,
                              count == 1 ? "process" : "processes", timeText(work.age),
                              printable(work.command));
}

// Nodes that share a machine show its runs once. A node that does not answer is told on standard error.
std::vector<NodeWork> workOf(const std::string& command, std::vector<run::NodeRun>& nodes, int& exitCode) {
    const auto found =
        run::onAllNodes(nodes, [](const run::NodeRun& node, std::size_t) { return run::listWork(node); });
    std::vector<NodeWork> work;
    std::set<std::string> machines;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!found[i]) {
            exitCode = complain(command, found[i].error());
        } else if (machines.insert(found[i]->machine).second) {
            work.push_back({nodes[i], found[i]->runs});
        }
    }
    return work;
}

bool isAsked(const PsOptions& options, const std::string& run) {
    return std::ranges::any_of(
        options.runs, [&](const std::string& asked) { return run == asked || run.starts_with(asked + "/"); });
}

Result<int> listJobs(const cluster::Cluster& cluster, const PsOptions& options, bool end) {
    const std::shared_ptr<remote::Transport> login = TRY(terminalTransports({})(*cluster.slurm->login));
    const auto jobs = TRY(remote::listJobs(cluster, login, {}));
    for (const remote::JobInQueue& job : jobs) {
        const bool ends = end && isAsked(options, job.id);
        if (ends && !options.dryRun) {
            TRY(job.job.end());
        }
        std::cout << fmt::format("job {}  {}  run {}{}\n", printable(job.job.number()), printable(job.state),
                                 printable(job.id),
                                 !ends            ? ""
                                 : options.dryRun ? "  would be ended"
                                                  : "  ended");
    }
    if (jobs.empty()) {
        std::cout << told("no job of a run is in the queue") << '\n';
    } else if (end && options.runs.empty()) {
        std::cout << told("say with --run which of them is to end") << '\n';
    }
    TRY(flushOutput());
    return 0;
}

Result<int> ps(const PsOptions& options) {
    run::reapChildren();
    const auto cluster = TRY(cluster::readCluster(expandHome(options.cluster)));
    if (cluster.slurm) {
        return listJobs(cluster, options, false);
    }
    auto nodes = TRY(openNodes(cluster.nodes));
    int exitCode = 0;
    bool any = false;
    for (const NodeWork& work : workOf("ps", nodes, exitCode)) {
        for (const run::WorkOnNode& run : work.runs) {
            any = true;
            std::cout << printable(work.node.name()) << "  " << describeWork(run);
        }
    }
    if (!any && exitCode == 0) {
        std::cout << told("nothing runs") << '\n';
    }
    TRY(flushOutput());
    return exitCode;
}

// Ends what no runner looks after; of the runs that were named only those.
Result<int> endOn(NodeWork& work, const PsOptions& options) {
    int exitCode = 0;
    for (const run::WorkOnNode& run : work.runs) {
        if (!options.runs.empty() && !isAsked(options, run.run)) {
            continue;
        }
        const std::string head = printable(work.node.name()) + "  run " + printable(run.run);
        if (run.hasRunner()) {
            std::cout << head << "  " << told("kept: its runner is at work; `dlperf cancel` ends it") << '\n';
            exitCode = options.runs.empty() ? exitCode : 1;
            continue;
        }
        if (!run.silence && options.runs.empty()) {
            std::cout << head << "  "
                      << told(
                             "kept: it has no lock that says whether a runner is at work; name it with --run")
                      << '\n';
            continue;
        }
        if (options.dryRun) {
            std::cout << head << "  " << told("would be ended") << '\n';
            continue;
        }
        const auto left = TRY(run::endWork(work.node, run, {}));
        std::cout << head << "  " << told(left.empty() ? "ended" : "still there: process " + join(left, ", "))
                  << '\n';
        exitCode = left.empty() ? exitCode : 1;
    }
    return exitCode;
}

Result<int> reap(const PsOptions& options) {
    run::reapChildren();
    const auto cluster = TRY(cluster::readCluster(expandHome(options.cluster)));
    if (cluster.slurm) {
        return listJobs(cluster, options, true);
    }
    auto nodes = TRY(openNodes(cluster.nodes));
    int exitCode = 0;
    for (NodeWork& work : workOf("reap", nodes, exitCode)) {
        const auto ended = endOn(work, options);
        exitCode = std::max(exitCode, ended ? *ended : complain("reap", ended.error()));
    }
    TRY(flushOutput());
    return exitCode;
}

}  // namespace

void addPsCommand(CLI::App& app, int& exitCode) {
    auto* command =
        app.add_subcommand("ps", "List what runs hold of the nodes, whichever workspace began them");
    const auto options = std::make_shared<PsOptions>();
    command->add_option("CLUSTER", options->cluster, "The cluster, a JSON file")
        ->type_name("FILE")
        ->required();
    command->callback([options, &exitCode] { exitCode = exitCodeOf("ps", ps(*options)); });
}

void addReapCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("reap", "End on the nodes what no runner looks after any more");
    const auto options = std::make_shared<PsOptions>();
    command->add_option("CLUSTER", options->cluster, "The cluster, a JSON file")
        ->type_name("FILE")
        ->required();
    command->add_option("--run", options->runs,
                        "Only this run, or all runs of this campaign; may be repeated");
    command->add_flag("--dry-run", options->dryRun, "Only say what would be ended");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("reap", reap(*options)); });
}

}  // namespace dlperf::app
