// SPDX-License-Identifier: Apache-2.0
#include "tests/run/bench.h"

namespace dlperf::run {
namespace {

launch::Plan planOf(const Json& changes, const std::map<std::string, std::string>& options) {
    Json plan{{"name", "bench"}, {"recipes", {"toy"}}, {"topologies", {"1n1g"}}, {"batch_sizes", {8}},
              {"warmup", 2},     {"train", 20},        {"timeout_s", 60}};
    plan.update(changes);
    if (!options.empty()) {
        plan["options"][plan["recipes"][0].get<std::string>()] = options;
    }
    return launch::planFromJson(plan, "plan").value();
}

cluster::Cluster clusterOf(int nodes, const std::filesystem::path& workDir) {
    Json list = Json::array();
    for (int i = 0; i < nodes; ++i) {
        list.push_back({{"name", std::string(1, static_cast<char>('a' + i))},
                        {"local", true},
                        {"devices", 2},
                        {"work_dir", workDir.string()}});
    }
    return cluster::clusterFromJson({{"name", "bench"}, {"nodes", list}}, "cluster").value();
}

}  // namespace

Bench::Bench(int nodes, const Json& changes, const std::map<std::string, std::string>& options)
    : workspace(*store::Workspace::open(folder.path() / "w")),
      inputs{planOf(changes, options), clusterOf(nodes, folder.path() / "nodes"),
             launch::readRecipes({std::filesystem::path(DLPERF_SOURCE_DIR) / "tests/run/recipes"})},
      prepared(launch::prepare(inputs.plan, inputs.cluster, inputs.recipes, Vocabulary{}).value()) {
    settings.poll = std::chrono::milliseconds(20);
    settings.grace = std::chrono::milliseconds(200);
    settings.retryTimeout = std::chrono::milliseconds(500);
    for (const cluster::Node& node : inputs.cluster.nodes) {
        transports[node.name] = std::make_shared<Watched>(node.name);
    }
}

Campaign Bench::create() {
    return createCampaign(workspace, inputs, prepared, settings).value();
}

Result<CampaignEnd> Bench::run(const Campaign& campaign) {
    const HeldSignals signals(false);
    auto lock = WorkspaceLock::take(workspace);
    if (!lock) {
        return Failure(lock.error());
    }
    Control control(workspace, signals);
    const auto transport = [this](const cluster::Node& node) -> Result<std::shared_ptr<remote::Transport>> {
        return transports.at(node.name);
    };
    const Observer observer = [this](const Campaign& seen, std::size_t run) {
        if (told) {
            told(seen.runs[run]);
        }
    };
    Runner runner(workspace, transport, control, settings, observer);
    const Vocabulary vocabulary;
    const analysis::FormatBook formats;
    return runner.run(campaign, {inputs, prepared, vocabulary, formats}, *lock);
}

}  // namespace dlperf::run
