// SPDX-License-Identifier: Apache-2.0
#include "core/run/clean.h"

#include <charconv>
#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/run/campaign.h"
#include "core/run/node_scripts.h"
#include "core/run/status.h"
#include "core/store/run_record.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes removeDeadline{10};  // many files on a slow disk

// Nothing of the run was left running there, and its log is here byte for byte.
bool mayGo(const Json& node) {
    const std::string here = textOf(node, "sha256");
    const bool isWhole = !here.empty() && here == textOf(node, "remote_sha256");
    const bool ranNothing = node.value("ran_script", Json()) == Json(false);
    return (isWhole || ranNothing) && textOf(node, "stop_trouble").empty() &&
           node.value("processes_left", Json::array()) == Json::array();
}

void addRemovable(RemovableRuns& removable, const std::map<std::string, const Campaign*>& campaigns,
                  const fs::path& folder) {
    const auto record = store::readRunRecord(folder);
    const auto campaign = record ? campaigns.find(record->result.campaign) : campaigns.end();
    if (campaign == campaigns.end() || !isOver(*campaign->second, record->result.id)) {
        return;
    }
    const Json nodes = record->facts.is_object() ? record->facts.value("nodes", Json()) : Json();
    for (const Json& node : nodes.is_array() ? nodes : Json::array()) {
        if (node.is_object() && mayGo(node)) {
            removable[record->result.id].insert(textOf(node, "name"));
        }
    }
}

// Whom a campaign's runs call by one name, reached the same way.
std::string identityOf(const cluster::Node& node) {
    return Json{node.name,
                node.host,
                node.user,
                node.port.value_or(0),
                node.workDir,
                node.container,
                node.containerWorkDir,
                node.image}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

RemovableRuns removableRuns(const store::Workspace& workspace) {
    const WorkspaceStatus status = readStatus(workspace);
    std::map<std::string, const Campaign*> campaigns;
    std::set<fs::path> cases;
    for (const Campaign& campaign : status.campaigns) {
        campaigns[campaign.id] = &campaign;
        for (const RunState& run : campaign.runs) {
            cases.insert(workspace.caseFolder(run.benchmarkCase));
        }
    }
    RemovableRuns removable;
    for (const fs::path& folder : cases) {
        for (const fs::path& entry : entriesOf(folder)) {
            addRemovable(removable, campaigns, entry);
        }
    }
    return removable;
}

std::vector<cluster::Node> nodesOfCampaigns(const store::Workspace& workspace) {
    std::map<std::string, cluster::Node> nodes;
    for (const std::string& id : campaignIds(workspace)) {
        if (auto cluster = cluster::readCluster(campaignFolder(workspace, id) / "cluster.json")) {
            for (cluster::Node& node : cluster->nodes) {
                nodes.emplace(identityOf(node), std::move(node));
            }
        }
    }
    return mapped(nodes, [](auto& entry) { return std::move(entry.second); });
}

Result<std::vector<RunFolderOnNode>> listRuns(const NodeRun& node) {
    const auto result =
        TRY(node.transport().run({listRunsScript(node.workDir(), node.name()), {}}, {removeDeadline, {}}));
    if (result.exitCode != 0) {
        return fail("its runs cannot be listed: " + firstLine(result.errors), "node " + node.name(),
                    "Check " + node.workDir() + " and its permissions.", ErrorKind::Work);
    }
    std::vector<RunFolderOnNode> runs;
    for (const std::string& line : linesOf(result.output, "run")) {
        const std::size_t space = line.find(' ');
        RunFolderOnNode run;
        std::from_chars(line.data(), line.data() + std::min(space, line.size()), run.kib);
        if (space != std::string::npos) {
            run.run = line.substr(space + 1);
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

Result<void> removeRuns(const NodeRun& node, const std::vector<RunFolderOnNode>& runs) {
    std::string ids;
    for (const RunFolderOnNode& run : runs) {
        ids += run.run + "\n";
    }
    const auto result =
        TRY(node.transport().run({removeRunsScript(node.workDir(), node.name()), ids}, {removeDeadline, {}}));
    return result.exitCode == 0
               ? Result<void>()
               : fail("not all could be removed: " + firstLine(result.errors), "node " + node.name(),
                      "Check the permissions of " + node.workDir() + ".", ErrorKind::Work);
}

}  // namespace dlperf::run
