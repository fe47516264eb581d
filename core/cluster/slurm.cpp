// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr int mostNodes = 4096;
constexpr const char* gpuWord = "gpu";

struct TextOption {
    const char* field;   // of cluster.json
    const char* option;  // of sbatch
    std::string Slurm::*text;
};
constexpr std::array<TextOption, 7> textOptions{{{"partition", "--partition", &Slurm::partition},
                                                 {"account", "--account", &Slurm::account},
                                                 {"qos", "--qos", &Slurm::qos},
                                                 {"reservation", "--reservation", &Slurm::reservation},
                                                 {"constraint", "--constraint", &Slurm::constraint},
                                                 {"gres", "--gres", &Slurm::gres},
                                                 {"time_limit", "--time", &Slurm::timeLimit}}};

bool isOption(const std::string& word) {
    const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    return word.starts_with("-") && std::ranges::none_of(word, isControl);
}

// Of each node, by "gpu:8", "gpu:v100:8", "gpu:v100:8(S:0-1)" or several of them; one where no number is
// said, as Slurm takes it. Nothing where no GPU is.
std::optional<int> gpusOf(const std::string& gres) {
    std::optional<int> gpus;
    for (const std::string_view one : split(gres, ',')) {
        const auto words = split(one.substr(0, one.find('(')), ':');
        if (words.front() == gpuWord) {
            gpus = gpus.value_or(0) + toInt(words.back()).value_or(1);
        }
    }
    return gpus;
}

Result<std::shared_ptr<const Node>> loginFromJson(Json json, const std::string& where) {
    if (json.is_null()) {
        json = {{"local", true}};
    }
    if (json.is_object()) {
        json["name"] = "login";
    }
    auto node = TRY(nodeFromJson(json, where + ", login"));
    return std::make_shared<const Node>(std::move(node));
}

Result<Slurm> slurmFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Slurm slurm;
    for (const TextOption& option : textOptions) {
        slurm.*option.text = reader.text(option.field);
        if (hasNul(slurm.*option.text)) {
            reader.addError(fmt::format("\"{}\" holds NUL", option.field));
        }
    }
    if (!slurm.timeLimit.empty() && !parseTimeLimit(slurm.timeLimit)) {
        reader.addError(fmt::format("\"time_limit\" is \"{}\"", refusedName(slurm.timeLimit)),
                        R"(Write it as sbatch takes it: "90" minutes, "1:30:00", or with days "1-12:00".)");
    }
    slurm.exclusive = reader.flag("exclusive", true);
    slurm.options = reader.texts("options");
    if (!std::ranges::all_of(slurm.options, isOption)) {
        reader.addError("\"options\" must be options of sbatch, each in one word", "Write \"--mem=0\".");
    }
    const std::string jobs = reader.text("jobs", "run");
    slurm.jobPerCampaign = jobs == "campaign";
    if (jobs != "run" && jobs != "campaign") {
        reader.addError(fmt::format("\"jobs\" is \"{}\"", refusedName(jobs)),
                        R"(Write "run" for a job each, or "campaign" for one job.)");
    }
    reader.refuseOthers({"login", "partition", "account", "qos", "reservation", "constraint", "gres",
                         "time_limit", "exclusive", "options", "jobs"});
    TRY(reader.checked());
    slurm.login = TRY(loginFromJson(reader.member("login"), where));
    return slurm;
}

// What is a node's own business with SSH is Slurm's here.
Result<Node> nodeLike(Json json, const std::string& where) {
    JsonReader reader(json, where);
    for (const char* field : {"name", "host", "local", "port", "user", "identity_file", "address"}) {
        if (!reader.member(field).is_null()) {
            reader.addError(fmt::format("\"{}\" is not known before a job has the node", field),
                            "Remove it.");
        }
    }
    TRY(reader.checked());
    json["name"] = "node";
    json["host"] = "slurm";
    return nodeFromJson(json, where);
}

// What is not known before a job has the nodes.
void setSeats(Cluster& cluster) {
    for (std::size_t index = 0; index < cluster.nodes.size(); ++index) {
        Node& node = cluster.nodes[index];
        node.name = fmt::format("node{}", index + 1);
        node.host = "slurm";
        node.seat = JobSeat{.login = cluster.slurm->login, .index = static_cast<int>(index)};
    }
}

}  // namespace

Result<Cluster> slurmCluster(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Cluster cluster{reader.requiredText("name"), {}};
    const int nodes = reader.integer("nodes", 1, 1, mostNodes);
    reader.refuseOthers({"name", "scheduler", "slurm", "nodes", "node"});
    TRY(reader.checked());
    const auto member = [&](const char* name) {
        const Json& found = reader.member(name);
        return found.is_null() ? Json::object() : found;
    };
    cluster.slurm = TRY(slurmFromJson(member("slurm"), where + ", slurm"));
    Node node = TRY(nodeLike(member("node"), where + ", node"));
    if (!node.devices) {
        node.devices = gpusOf(cluster.slurm->gres).value_or(cpuProcesses);
    }
    cluster.nodes.assign(static_cast<std::size_t>(nodes), node);
    setSeats(cluster);
    return cluster;
}

Json slurmJson(const Cluster& cluster) {
    const Slurm& slurm = *cluster.slurm;
    Json asked{{"exclusive", slurm.exclusive}, {"jobs", slurm.jobPerCampaign ? "campaign" : "run"}};
    for (const TextOption& option : textOptions) {
        if (!(slurm.*option.text).empty()) {
            asked[option.field] = slurm.*option.text;
        }
    }
    if (!slurm.options.empty()) {
        asked["options"] = slurm.options;
    }
    asked["login"] = toJson(*slurm.login);
    asked["login"].erase("name");
    Json node = cluster.nodes.empty() ? Json::object() : toJson(cluster.nodes.front());
    for (const char* field : {"name", "host"}) {
        node.erase(field);
    }
    return {{"name", cluster.name},
            {"scheduler", "slurm"},
            {"slurm", std::move(asked)},
            {"nodes", cluster.nodes.size()},
            {"node", std::move(node)}};
}

std::vector<Partition> parsePartitions(std::string_view printed) {
    std::vector<Partition> partitions;
    for (const std::string& line : dlperf::linesOf(printed, "partition")) {
        const auto fields = split(line, '|');
        if (fields.size() != 7) {
            continue;
        }
        const auto text = [&](std::size_t field) { return cleanUtf8(std::string(fields[field])); };
        const int nodes = toInt(fields[2]).value_or(0);
        const auto known = std::ranges::find(partitions, text(0), &Partition::name);
        if (known != partitions.end()) {
            known->nodes += nodes;
            continue;
        }
        partitions.push_back({text(0), !fields[1].empty(), nodes, toInt(fields[3]).value_or(0),
                              fields[4] == "(null)" ? std::string() : text(4), text(5), fields[6] == "up"});
    }
    return partitions;
}

Cluster clusterOfPartition(const Partition& partition, const Node& login) {
    Cluster cluster{partition.name, {}, Slurm()};
    Slurm& slurm = *cluster.slurm;
    slurm.login = std::make_shared<const Node>(login);
    slurm.partition = partition.name;
    const auto gpus = gpusOf(partition.gres);
    if (gpus) {
        slurm.gres = fmt::format("{}:{}", gpuWord, *gpus);
    }
    Node node;
    node.devices = gpus.value_or(cpuProcesses);
    cluster.nodes.assign(static_cast<std::size_t>(std::clamp(partition.nodes, 1, mostNodes)), node);
    setSeats(cluster);
    return cluster;
}

std::vector<Node> nodesOfJob(const Cluster& cluster, const std::string& job, const std::string& folder,
                             const std::vector<JobHost>& hosts) {
    std::vector<Node> nodes;
    for (std::size_t index = 0; index < hosts.size() && index < cluster.nodes.size(); ++index) {
        Node node = cluster.nodes[index];
        node.name = node.host = hosts[index].name;
        node.address = hosts[index].address;
        node.seat->job = job;
        node.seat->folder = folder;
        nodes.push_back(std::move(node));
    }
    return nodes;
}

std::optional<std::chrono::seconds> parseTimeLimit(std::string_view text) {
    using namespace std::chrono;
    const std::string word = lower(text);
    if (word == "infinite" || word == "unlimited") {
        return seconds(0);
    }
    const std::size_t dash = text.find('-');
    const bool hasDays = dash != std::string_view::npos;
    const auto numbers = mapped(split(hasDays ? text.substr(dash + 1) : text, ':'),
                                [](std::string_view digits) { return toInt(digits).value_or(-1); });
    const int count = static_cast<int>(numbers.size());
    const int atDays = hasDays ? toInt(text.substr(0, dash)).value_or(-1) : 0;
    if (count > 3 || atDays < 0 || std::ranges::any_of(numbers, [](int number) { return number < 0; })) {
        return std::nullopt;
    }
    // Behind days and in three numbers hours come first, else minutes.
    const std::size_t first = hasDays || count == 3 ? 0 : 1;
    constexpr std::array<seconds, 3> units{hours(1), minutes(1), seconds(1)};
    seconds limit = days(atDays);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        limit += numbers[i] * units.at(first + i);
    }
    return limit;
}

bool endsBefore(const Slurm& slurm, std::chrono::seconds runTime) {
    const auto limit = parseTimeLimit(slurm.timeLimit);
    return limit && limit->count() > 0 && *limit < runTime;
}

std::chrono::minutes jobTimeFor(std::chrono::seconds timeout) {
    return std::chrono::ceil<std::chrono::minutes>(timeout) + std::chrono::minutes(10);
}

JobSize jobSizeOf(const Slurm& slurm, const Topology& run, std::span<const Topology> all,
                  std::chrono::seconds timeout) {
    JobSize size{run.nodes};
    if (!slurm.jobPerCampaign) {
        size.timeLimit = slurm.timeLimit.empty() ? jobTimeFor(timeout) : std::chrono::minutes(0);
        return size;
    }
    for (const Topology& other : all) {
        size.nodes = std::max(size.nodes, other.nodes);
    }
    return size;
}

std::vector<std::string> sbatchOptions(const Slurm& slurm) {
    std::vector<std::string> words;
    for (const TextOption& option : textOptions) {
        if (const std::string& value = slurm.*option.text; !value.empty()) {
            words.push_back(fmt::format("{}={}", option.option, value));
        }
    }
    if (slurm.exclusive) {
        words.emplace_back("--exclusive");
    }
    words.insert(words.end(), slurm.options.begin(), slurm.options.end());
    return words;
}

}  // namespace dlperf::cluster
