// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/cluster.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/node_script.h"
#include "core/base/text.h"
#include "core/cluster/fold_checks.h"
#include "core/cluster/host_lists.h"
#include "core/cluster/slurm.h"
#include "core/model/node_name.h"

namespace dlperf::cluster {
namespace {

constexpr int mostDevices = 1024;

void checkVariable(JsonReader& reader, const std::string& name, const char* field) {
    if (!isVariableName(name)) {
        reader.addError(
            fmt::format("\"{}\" has a name that is no variable: \"{}\"", field, refusedName(name)),
            "Use letters, digits and underscores.");
    } else if (name.starts_with("DLPERF_") && !name.starts_with("DLPERF_OPT_")) {
        reader.addError(fmt::format("\"{}\" sets {}, which the runner sets itself", field, name),
                        "Remove it; recipe options may be set as DLPERF_OPT_NAME.");
    }
}

std::map<std::string, std::string> readEnvironment(JsonReader& reader) {
    std::map<std::string, std::string> variables;
    const Json& env = reader.member("env");
    if (env.is_null()) {
        return variables;
    }
    if (!env.is_object()) {
        reader.addError("\"env\" must be an object of texts");
        return variables;
    }
    for (const auto& [name, value] : env.items()) {
        checkVariable(reader, name, "env");
        if (!value.is_string() || hasNul(value.get_ref<const std::string&>())) {
            reader.addError(fmt::format("\"env\": {} must be a text without NUL", cleanUtf8(name)));
            continue;
        }
        variables[name] = value.get<std::string>();
    }
    return variables;
}

void checkPath(JsonReader& reader, const char* field, const std::string& path) {
    if (!path.empty() && path != "~" && !path.starts_with("~/") && !path.starts_with('/')) {
        reader.addError(fmt::format("\"{}\" must be an absolute path or start with ~/", field));
    }
    const auto breaksLines = [](unsigned char c) { return c < 0x20 || c == 0x7f; };  // nodes answer in lines
    if (std::any_of(path.begin(), path.end(), breaksLines)) {
        reader.addError(fmt::format("\"{}\" holds a line break or another control character", field),
                        "Rename the folder.");
    }
}

void checkDevices(JsonReader& reader, Node& node) {
    if (node.deviceList.empty()) {
        return;
    }
    const auto listed = split(node.deviceList, ',');
    const bool named = std::all_of(listed.begin(), listed.end(), isPlainName);
    if (!named) {
        reader.addError("\"device_list\" must be device numbers or ids between commas", "Write \"0,1,2,3\".");
    } else if (!node.devices) {
        node.devices = static_cast<int>(std::min<std::size_t>(listed.size(), mostDevices));
    } else if (static_cast<std::size_t>(*node.devices) > listed.size()) {
        reader.addError(
            fmt::format("\"devices\" is {}, but \"device_list\" has {}", *node.devices, listed.size()),
            "Make them agree.");
    }
}

void checkImage(JsonReader& reader, const Node& node) {
    constexpr std::array<std::string_view, 5> runtimes{"", "podman", "docker", "apptainer", "singularity"};
    if (!node.image.empty() && !node.container.empty()) {
        reader.addError("has both \"image\" and \"container\"",
                        "Name an image that is started for runs, or the command that enters a container.");
    }
    if (node.image.starts_with('-') || node.image.find_first_of(" \t\n") != std::string::npos) {
        reader.addError("\"image\" is no name of an image");
    }
    if (std::ranges::find(runtimes, node.runtime) == runtimes.end()) {
        reader.addError("\"runtime\" must be \"podman\", \"docker\", \"apptainer\" or \"singularity\"");
    }
    if (node.image.empty() && (!node.runtime.empty() || !node.imageOptions.empty())) {
        reader.addError("\"runtime\" and \"image_options\" need an \"image\"");
    }
}

void checkNode(JsonReader& reader, Node& node) {
    if (!isPlainName(node.name)) {
        reader.addError(fmt::format("\"name\" is \"{}\"", refusedName(node.name)),
                        "Use letters, digits, . _ and -, at most 64, starting with a letter or a digit.");
    }
    if (node.local == !node.host.empty()) {
        reader.addError("needs either \"host\" or \"local\": true",
                        "Name the address, or say that the node is this machine.");
    }
    for (const auto& [field, text] : {std::pair{"host", node.host},
                                      {"user", node.user},
                                      {"address", node.address},
                                      {"interface", node.interface},
                                      {"rdma", node.rdma}}) {
        if (const std::string odd = oddOfHost(text); !odd.empty()) {
            reader.addError(
                fmt::format("\"{}\" is \"{}\": {} cannot be there", field, refusedName(text), odd),
                "Remove it.");
        }
    }
    for (const std::string& text :
         {node.workDir, node.dataDir, node.setup, node.containerWorkDir, node.identityFile}) {
        if (hasNul(text)) {
            reader.addError("a text holds NUL");
        }
    }
    checkPath(reader, "work_dir", node.workDir);
    checkPath(reader, "container_work_dir", node.containerWorkDir);
    checkPath(reader, "data_dir", node.dataDir);
    checkDevices(reader, node);
    checkImage(reader, node);
    for (const std::string& name : node.secretEnv) {
        checkVariable(reader, name, "secret_env");
    }
}

// Texts that may be empty, by their names in the file.
constexpr std::array<std::pair<const char*, std::string Node::*>, 12> textFields{
    {{"host", &Node::host},
     {"user", &Node::user},
     {"identity_file", &Node::identityFile},
     {"device_list", &Node::deviceList},
     {"address", &Node::address},
     {"interface", &Node::interface},
     {"rdma", &Node::rdma},
     {"data_dir", &Node::dataDir},
     {"setup", &Node::setup},
     {"container_work_dir", &Node::containerWorkDir},
     {"image", &Node::image},
     {"runtime", &Node::runtime}}};

std::string machineName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

std::string addressOf(const Node& node, bool allLocal) {
    if (!node.address.empty()) {
        return node.address;
    }
    if (!node.local) {
        return node.host;
    }
    return allLocal ? "127.0.0.1" : machineName();
}

constexpr std::size_t mostNamed = 8;

}  // namespace

std::string containerScript(const Node& node) {
    using node_script::set;
    std::string options;
    for (const std::string& word : node.imageOptions) {
        options += (options.empty() ? "" : " ") + shellQuote(word);
    }
    return set("image", node.image) + set("runtime", node.runtime) + set("work", node.workDir) +
           set("data", node.dataDir) + set("image_options", options) + std::string(node_script::home) +
           std::string(node_script::container);
}

Result<Node> nodeFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Node node;
    node.name = reader.requiredText("name");
    for (const auto& [field, text] : textFields) {
        node.*text = reader.text(field);
    }
    node.local = reader.flag("local", false);
    if (const int port = reader.integer("port", 0, 1, 65535); port > 0) {
        node.port = port;
    }
    if (const int devices = reader.integer("devices", 0, 1, mostDevices); devices > 0) {
        node.devices = devices;
    }
    node.workDir = reader.text("work_dir", node.workDir);
    node.container = reader.texts("container");
    node.imageOptions = reader.texts("image_options");
    node.env = readEnvironment(reader);
    node.secretEnv = reader.texts("secret_env");
    reader.refuseOthers({"name",      "host",          "local",         "port",
                         "user",      "identity_file", "devices",       "device_list",
                         "address",   "interface",     "rdma",          "work_dir",
                         "data_dir",  "setup",         "container",     "container_work_dir",
                         "image",     "runtime",       "image_options", "env",
                         "secret_env"});
    checkNode(reader, node);
    return reader.error() == nullptr ? Result<Node>(std::move(node)) : Failure(*reader.error());
}

Json toJson(const Node& node) {
    Json json{{"name", node.name}, {"work_dir", node.workDir}};
    const auto put = [&](const char* field, const auto& value) {
        if (!value.empty()) {
            json[field] = value;
        }
    };
    if (node.local) {
        json["local"] = true;
    }
    if (node.port) {
        json["port"] = *node.port;
    }
    if (node.devices) {
        json["devices"] = *node.devices;
    }
    for (const auto& [field, text] : textFields) {
        put(field, node.*text);
    }
    put("container", node.container);
    put("image_options", node.imageOptions);
    put("env", node.env);
    put("secret_env", node.secretEnv);
    return json;
}

Result<Cluster> readCluster(const std::filesystem::path& path) {
    const auto json = readJsonFile(path);
    return json ? clusterFromJson(*json, path.string()) : Failure(json.error());
}

Cluster thisMachine() {
    Node node;
    node.name = "this";
    node.local = true;
    return {"this machine", {node}};
}

Result<Cluster> clusterFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    if (const std::string scheduler = reader.text("scheduler", "ssh"); scheduler == "slurm") {
        return slurmCluster(json, where);
    } else if (scheduler != "ssh") {
        reader.addError(fmt::format("\"scheduler\" is \"{}\"", refusedName(scheduler)),
                        R"(Write "ssh" or "slurm".)");
    }
    Cluster cluster{reader.requiredText("name"), {}};
    reader.refuseOthers({"name", "scheduler", "nodes"});
    const Json& nodes = reader.member("nodes");
    if (!nodes.is_array() || nodes.empty()) {
        reader.addError("\"nodes\" must be a list with at least one node", "Add a node.");
    }
    TRY(reader.checked());
    std::set<std::string> names;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto node = TRY(nodeFromJson(nodes[i], fmt::format("{}, node {}", where, i + 1)));
        if (!names.insert(node.name).second) {
            return fail(fmt::format("two nodes are called \"{}\"", node.name), where, "Rename one of them.");
        }
        cluster.nodes.push_back(std::move(node));
    }
    return cluster;
}

Json toJson(const Cluster& cluster) {
    if (cluster.slurm) {
        return slurmJson(cluster);
    }
    Json nodes = Json::array();
    for (const Node& node : cluster.nodes) {
        nodes.push_back(toJson(node));
    }
    return Json{{"name", cluster.name}, {"nodes", std::move(nodes)}};
}

std::vector<std::string> addressesOf(const std::vector<const Node*>& nodes) {
    const bool allLocal = std::ranges::all_of(nodes, [](const Node* node) { return node->local; });
    return mapped(nodes, [&](const Node* node) { return addressOf(*node, allLocal); });
}

std::string named(const std::vector<std::string>& nodes) {
    constexpr std::size_t longest = 60;  // bytes, as a part of a sentence
    const std::string folded = nodes.size() > mostNamed ? foldNames(nodes) : "";
    return folded.empty() || folded.size() > longest ? joinSome(mapped(nodes, nodeTitle), mostNamed) : folded;
}

}  // namespace dlperf::cluster
