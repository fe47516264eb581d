// SPDX-License-Identifier: Apache-2.0
// The environment of one node in one run: every DLPERF_ variable, and nothing else that the node does not
// add.
#include <algorithm>
#include <string>

#include "core/base/mapped.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/cluster/cluster.h"
#include "core/launch/prepare.h"

namespace dlperf::launch {
namespace {

constexpr int defaultSshPort = 22;

std::string joined(const std::vector<const cluster::Node*>& nodes, auto text) {
    return join(mapped(nodes, [&](const cluster::Node* node) { return text(*node); }), ",");
}

// The first `devices` of the node's list.
std::string deviceList(const cluster::Node& node, int devices) {
    const auto listed = split(node.deviceList, ',');
    std::vector<std::string> chosen;
    chosen.reserve(static_cast<std::size_t>(devices));
    for (int i = 0; i < devices; ++i) {
        chosen.push_back(node.deviceList.empty() ? std::to_string(i)
                                                 : std::string(listed.at(static_cast<std::size_t>(i))));
    }
    return join(chosen, ",");
}

// What is the same on every node of the run.
std::map<std::string, std::string> sharedEnvironment(const PlannedRun& run, const OptionValues& options,
                                                     const std::vector<const cluster::Node*>& nodes) {
    const Case& c = run.benchmarkCase;
    std::vector<std::string> addresses = cluster::addressesOf(nodes);
    if (nodes.front()->seat && nodes.front()->seat->job.empty()) {
        addresses.assign(1, settledAtStart);  // the scheduler gives the nodes
    }
    const auto port = [](const cluster::Node& node) {
        return std::to_string(node.port.value_or(defaultSshPort));
    };
    std::map<std::string, std::string> env{
        {"DLPERF_RUN_ID", settledAtStart},
        {"DLPERF_RUN_DIR", settledAtStart},
        {"DLPERF_REPETITION", settledAtStart},
        {"DLPERF_MASTER_PORT", settledAtStart},
        {"DLPERF_NODES", std::to_string(c.topology.nodes)},
        {"DLPERF_DEVICES", std::to_string(c.topology.devices)},
        {"DLPERF_WORLD_SIZE", std::to_string(c.topology.worldSize())},
        {"DLPERF_NODE_ADDRESSES", join(addresses, ",")},
        {"DLPERF_MASTER_ADDR", addresses.front()},
        {"DLPERF_SSH_PORTS", joined(nodes, port)},
        {"DLPERF_BATCH_SIZE", std::to_string(c.configuration.batchSize)},
        {"DLPERF_PRECISION", c.configuration.precision},
        {"DLPERF_FEATURES", join(c.configuration.features, ",")},
        {"DLPERF_TRAIN", std::to_string(run.range.train)},
        {"DLPERF_WARMUP", std::to_string(run.range.warmup)},
    };
    for (const auto& [name, value] : options) {
        env[optionVariable(name)] = value;
    }
    env["DLPERF_RECIPE_DIR"] = run.files ? settledAtStart : "";
    return env;
}

// Where the node finds the bundled worker: this machine beside the running program, the others in a folder
// that is known when it is there. A launcher on the first node looks for it at one place on all.
std::string workerPlace(const cluster::Node& node, bool usesWorker, bool atOnePlace) {
    if (node.local && !node.inContainer() && !(usesWorker && atOnePlace)) {
        return workerFolder().string();
    }
    return usesWorker ? settledAtStart : node.workDir + "/bin";
}

// A recipe that says nothing of its Python starts the one of its option, if it has that option.
std::string pythonOf(const Recipe& recipe, const OptionValues& options) {
    const auto option = options.find("python");
    return recipe.needs.python                                 ? settledAtStart
           : option == options.end() || option->second.empty() ? "python3"
                                                               : option->second;
}

bool isExpanded(const std::string& variable) {
    return variable.starts_with("DLPERF_OPT_") || variable == "DLPERF_DATA_DIR" ||
           variable == "DLPERF_BIN_DIR" || variable == "DLPERF_PYTHON";
}

}  // namespace

std::string optionVariable(const std::string& option) {
    std::string name = "DLPERF_OPT_" + option;
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return name;
}

std::vector<NodeLaunch> nodeLaunches(const PlannedRun& run, const Recipe& recipe, const OptionValues& options,
                                     const std::vector<const cluster::Node*>& nodes) {
    auto shared = sharedEnvironment(run, options, nodes);
    shared["DLPERF_PYTHON"] = pythonOf(recipe, options);
    const bool fromFirst = startOf(recipe, options) == StartOn::FirstNode;
    std::vector<NodeLaunch> launches;
    for (const cluster::Node* node : nodes) {
        NodeLaunch launch;
        launch.node = node->name;
        launch.rank = static_cast<int>(launches.size());
        launch.startsScript = launch.rank == 0 || !fromFirst;
        launch.secrets = node->secretEnv;
        launch.setup = node->setup;
        launch.environment = shared;
        launch.environment["DLPERF_NODE_RANK"] = std::to_string(launch.rank);
        launch.environment["DLPERF_DEVICE_LIST"] = deviceList(*node, run.benchmarkCase.topology.devices);
        launch.environment["DLPERF_INTERFACE"] = node->interface;
        launch.environment["DLPERF_RDMA"] = node->rdma;
        launch.environment["DLPERF_DATA_DIR"] = node->dataDir;
        launch.environment["DLPERF_BIN_DIR"] =
            workerPlace(*node, run.usesWorker, fromFirst && nodes.size() > 1);
        for (const auto& [name, value] : node->env) {
            launch.environment[name] = value;
        }
        launches.push_back(std::move(launch));
    }
    return launches;
}

bool PlannedRun::usesGpus() const {
    for (const Variant* options : {&benchmarkCase.configuration.variant, &defaults}) {
        if (const auto backend = options->find("backend"); backend != options->end()) {
            return backend->second != "cpu";
        }
    }
    return true;
}

int computingThreads(const std::map<std::string, std::string>& environment) {
    for (const std::string& variable : {optionVariable("threads"), std::string("OMP_NUM_THREADS")}) {
        if (const auto value = environment.find(variable); value != environment.end()) {
            return std::max(0, toInt(value->second).value_or(0));
        }
    }
    return 0;
}

bool needsWorker(const NodeLaunch& launch) {
    const auto place = launch.environment.find("DLPERF_BIN_DIR");
    return place != launch.environment.end() && place->second == settledAtStart;
}

std::map<std::string, std::string> settle(const NodeLaunch& launch, const StartFacts& facts) {
    auto environment = launch.environment;
    std::vector<std::string> variables;  // of the plan and the node
    variables.reserve(environment.size());
    for (const auto& [name, value] : environment) {
        if (!name.starts_with("DLPERF_")) {
            variables.push_back(name);
        }
    }
    environment["DLPERF_VARIABLES"] = join(variables, " ");
    environment["DLPERF_RUN_ID"] = facts.runId;
    environment["DLPERF_RUN_DIR"] = facts.runFolder;
    environment["DLPERF_REPETITION"] = std::to_string(facts.repetition);
    environment["DLPERF_MASTER_PORT"] = std::to_string(facts.masterPort);
    if (needsWorker(launch)) {
        environment["DLPERF_BIN_DIR"] = facts.workerFolder;
    }
    const auto fillIn = [&](const char* variable, const std::string& value) {
        const auto place = environment.find(variable);
        if (place != environment.end() && place->second == settledAtStart) {
            place->second = value;
        }
    };
    fillIn("DLPERF_RECIPE_DIR", facts.recipeFolder);
    fillIn("DLPERF_PYTHON", facts.python);
    if (!facts.source.empty() && launch.needs && launch.needs->source) {
        environment[optionVariable(launch.needs->source->option)] = facts.source;
    }
    for (auto& [name, value] : environment) {
        if (isExpanded(name) && value.starts_with("~/")) {
            value.replace(0, 1, facts.home);
        }
    }
    return environment;
}

}  // namespace dlperf::launch
