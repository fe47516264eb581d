// SPDX-License-Identifier: Apache-2.0
#include "app/data_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/node_bench.h"
#include "core/base/file.h"

namespace dlperf::app {
namespace {

constexpr const char* dataRecipe = "dlperf-data";
constexpr std::uintmax_t mostDataLogBytes = 1U << 20U;

// As the nodes find it: on this machine alone it may be relative to where the command runs.
Result<std::string> folderOnNodes(const std::string& folder, bool isThisMachine) {
    if (folder.empty() || folder.starts_with("/") || folder.starts_with("~/")) {
        return folder;
    }
    if (!isThisMachine) {
        return fail("is no absolute folder, so nodes do not know it", folder,
                    "Write it with a leading / or ~/.");
    }
    return std::filesystem::absolute(folder).lexically_normal().string();
}

// Of a cluster of Slurm all nodes are alike.
std::string folderOf(const NodeBench& bench, const std::string& node, const std::string& wanted) {
    const cluster::Cluster& cluster = bench.runs().cluster();
    for (const cluster::Node& one : cluster.nodes) {
        if (wanted.empty() && (cluster.slurm || one.name == node)) {
            return one.dataDir;
        }
    }
    return wanted;
}

void addReading(cluster::NodeReading& node, const std::filesystem::path& file) {
    const auto text = readFile(file, mostDataLogBytes);
    auto reading = text ? cluster::parseDataLog(*text, {}) : Failure(text.error());
    if (!reading) {
        node.missing = reading.error().what;
        return;
    }
    reading->node = node.node;
    reading->folder = node.folder;
    node = std::move(*reading);
}

}  // namespace

Result<cluster::DataBaseline> measureData(const BenchOptions& options, const ReadingWanted& wanted) {
    const auto folder = TRY(folderOnNodes(wanted.folder, options.cluster.empty()));
    NodeBench bench(TRY(BenchRuns::open(options, dataRecipe, &store::Workspace::dataRuns)));
    if (folder.empty() && std::ranges::all_of(bench.runs().cluster().nodes, [](const cluster::Node& node) {
            return node.dataDir.empty();
        })) {
        return fail("no folder is named that could be read", {},
                    "Name it by --data FOLDER, or as \"data_dir\" of the nodes.");
    }
    launch::Plan plan = bench.runs().planOf("data", {}, {});
    plan.options[dataRecipe] = {{"seconds", {std::to_string(wanted.seconds)}}};
    if (!folder.empty()) {
        plan.options[dataRecipe]["data"] = {folder};
    }
    cluster::DataBaseline baseline{.by = "dlperf-worker, by four threads",
                                   .nodes = nodesToMeasure<cluster::NodeReading>(bench)};
    const auto logs = TRY(bench.run(plan, nodesTitle(bench)));
    for (const NodeBench::NodeLog& log : logs) {
        cluster::NodeReading& node = nodeIn(baseline.nodes, log.node);
        node.folder = folderOf(bench, log.node, folder);
        addReading(node, log.file);
    }
    addLeftOut(baseline.nodes, bench);
    TRY(checkAnyMeasured(baseline.nodes, bench));
    baseline.measured = now();
    TRY(cluster::writeBaseline(bench.runs().workspace().dataBaseline(), cluster::toJson(baseline)));
    return baseline;
}

}  // namespace dlperf::app
