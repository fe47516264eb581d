// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/run/clean.h"
#include "core/run/control.h"
#include "core/run/on_all_nodes.h"
#include "core/run/status.h"

namespace dlperf::app {
namespace {

struct CleanOptions {
    std::string workspace;
    std::string cluster;
    bool dryRun = false;
};

struct NodeLeftovers {
    std::vector<run::RunFolderOnNode> removed;
    std::vector<run::RunFolderOnNode> kept;
};

std::string amountOf(const std::vector<run::RunFolderOnNode>& runs) {
    std::uint64_t kib = 0;
    for (const run::RunFolderOnNode& run : runs) {
        kib += run.kib;
    }
    return fmt::format("{} {}, {:.1f} MiB", runs.size(), runs.size() == 1 ? "run" : "runs",
                       static_cast<double>(kib) / 1024);
}

Result<NodeLeftovers> cleanNode(const run::NodeRun& node, const run::RemovableRuns& removable, bool dryRun) {
    auto runs = TRY(run::listRuns(node));
    NodeLeftovers leftovers;
    for (run::RunFolderOnNode& run : runs) {
        const auto known = removable.find(run.run);
        const bool mayGo = known != removable.end() && known->second.contains(node.name());
        (mayGo ? leftovers.removed : leftovers.kept).push_back(std::move(run));
    }
    if (!dryRun && !leftovers.removed.empty()) {
        TRY(run::removeRuns(node, leftovers.removed));
    }
    return leftovers;
}

Result<std::vector<run::NodeRun>> nodesOf(const CleanOptions& options, const store::Workspace& workspace) {
    std::vector<cluster::Node> nodes;
    if (options.cluster.empty()) {
        nodes = run::nodesOfCampaigns(workspace);
    } else {
        auto cluster = TRY(cluster::readCluster(expandHome(options.cluster)));
        nodes = std::move(cluster.nodes);
    }
    return openNodes(nodes);
}

int clean(const CleanOptions& options) {
    run::reapChildren();
    const auto workspace = store::Workspace::openExisting(expandHome(options.workspace));
    int exitCode = 0;
    for (const Error& problem : workspace ? run::readStatus(*workspace).problems : std::vector<Error>()) {
        (void)complain("clean", problem);  // its runs stay; those of others can go
        exitCode = 1;
    }
    auto nodes = workspace ? nodesOf(options, *workspace) : Failure(workspace.error());
    if (!nodes) {
        return complain("clean", nodes.error());
    }
    if (nodes->empty()) {
        std::cout << told("nothing has run here yet") << '\n';
        return exitCode;
    }
    const run::RemovableRuns removable = run::removableRuns(*workspace);
    const auto cleaned = run::onAllNodes(*nodes, [&](const run::NodeRun& node, std::size_t) {
        return cleanNode(node, removable, options.dryRun);
    });
    for (std::size_t i = 0; i < cleaned.size(); ++i) {
        if (!cleaned[i]) {
            exitCode = std::max(exitCode, complain("clean", cleaned[i].error()));
            continue;
        }
        const auto& [removed, kept] = *cleaned[i];
        std::cout << fmt::format("{}  {} {}\n", printable((*nodes)[i].name()), amountOf(removed),
                                 options.dryRun ? "would be removed" : "removed");
        if (!kept.empty()) {
            std::cout << "    "
                      << told(fmt::format(
                             "{} kept: not over, not of this workspace, or their logs are not all here",
                             amountOf(kept)))
                      << '\n';
        }
    }
    return exitCode;
}

}  // namespace

void addCleanCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("clean", "Remove what runs that are over have left on their nodes");
    const auto options = std::make_shared<CleanOptions>();
    command->add_option("--workspace", options->workspace, "The folder that keeps runs and logs")
        ->type_name("FOLDER")
        ->required();
    command->add_option("--cluster", options->cluster, "Its nodes; else those of all campaigns here")
        ->type_name("FILE");
    command->add_flag("--dry-run", options->dryRun, "Only say what would be removed");
    command->callback([options, &exitCode] { exitCode = clean(*options); });
}

}  // namespace dlperf::app
