// SPDX-License-Identifier: Apache-2.0
#include "core/report/recorded_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/store/run_record.h"

namespace dlperf::report {
namespace {

constexpr std::size_t factLength = 300;  // bytes of a line

using ValuesOfNodes = std::map<std::string, std::string>;  // by node

// The list under the field, or nothing.
Json listIn(const Json& json, const char* field) {
    const auto found = json.is_object() ? json.find(field) : json.end();
    return json.is_object() && found != json.end() && found->is_array() ? *found : Json::array();
}

// "NVIDIA H100 80GB" of "0, NVIDIA H100 80GB, 535.161.08": the driver stands among the versions.
std::string nameOfGpu(const std::string& fact) {
    const auto parts = split(fact, ',');
    return std::string(trim(parts.size() > 1 ? parts[1] : parts[0]));
}

void addGpu(std::map<std::string, int>& counts, const std::string& fact) {
    ++counts[nameOfGpu(fact)];
}

// "8 NVIDIA H100 80GB"
std::string countedGpus(const std::map<std::string, int>& counts) {
    return join(mapped(counts, [](const auto& gpu) { return fmt::format("{} {}", gpu.second, gpu.first); }),
                ", ");
}

// "a (n1, n2), b (n3)", or what all nodes have.
std::string textOfNodes(const ValuesOfNodes& values) {
    std::map<std::string, std::vector<std::string>> nodesOf;
    for (const auto& [node, value] : values) {
        nodesOf[value].push_back(node);
    }
    if (nodesOf.size() == 1) {
        return nodesOf.begin()->first;
    }
    const auto text = [](const auto& entry) {
        return fmt::format("{} ({})", entry.first, join(entry.second, ", "));
    };
    return join(mapped(nodesOf, text), ", ");
}

// What the fact is called among machines; empty of one that stands elsewhere.
std::string machineFact(const NodeFact& fact) {
    if (fact.key == "env") {
        return "variable " + fact.value.substr(0, fact.value.find('='));
    }
    const bool isOfMachine = fact.key == "cpu" || fact.key == "cpu_quota" || fact.key == "distribution";
    return isOfMachine ? fact.key : std::string();
}

std::string machineValue(const NodeFact& fact) {
    const std::size_t at = fact.key == "env" ? fact.value.find('=') : std::string::npos;
    return at == std::string::npos ? fact.value : fact.value.substr(at + 1);
}

std::vector<std::string> nodeNames(const Json& facts) {
    std::vector<std::string> names;
    for (const Json& node : listIn(facts, "nodes")) {
        names.push_back(refusedName(dlperf::textOf(node, "name")));
    }
    return names;
}

}  // namespace

std::vector<NodeFact> nodeFacts(const Json& facts) {
    std::vector<NodeFact> list;
    for (const Json& node : listIn(facts, "nodes")) {
        for (const Json& fact : listIn(node, "facts")) {
            if (!fact.is_string()) {
                continue;
            }
            const std::string line = fact.get<std::string>().substr(0, factLength);
            const std::size_t middle = line.find('=');
            if (!line.ends_with('=')) {
                list.push_back({refusedName(dlperf::textOf(node, "name")), line.substr(0, middle),
                                middle == std::string::npos ? "" : line.substr(middle + 1)});
            }
        }
    }
    return list;
}

RecordedTexts machinesOf(const Json& facts) {
    std::map<std::string, ValuesOfNodes> values;
    std::map<std::string, std::map<std::string, int>> gpus;  // by node
    for (const NodeFact& fact : nodeFacts(facts)) {
        if (fact.key == "gpu") {
            addGpu(gpus[fact.node], fact.value);
        } else if (const std::string name = machineFact(fact); !name.empty()) {
            values[name][fact.node] = machineValue(fact);
        }
    }
    for (const auto& [node, counts] : gpus) {
        values["gpus"][node] = countedGpus(counts);
    }
    if (values.empty()) {
        return {};
    }
    RecordedTexts texts{{"nodes", cleanUtf8(join(nodeNames(facts), ", "))}};
    for (const auto& [name, ofNodes] : values) {
        texts.emplace(cleanUtf8(name), cleanUtf8(textOfNodes(ofNodes)));
    }
    return texts;
}

std::map<std::string, RecordedTexts> readMachines(const store::Workspace& workspace,
                                                  const std::vector<RunResult>& results) {
    std::map<std::string, RecordedTexts> machines;
    for (const RunResult& run : results) {
        const auto record = run.folder.empty() ? Result<store::RunRecord>(fail(""))
                                               : store::readRunRecord(workspace.root() / run.folder);
        if (record) {
            machines.emplace(run.id, machinesOf(record->facts));
        }
    }
    return machines;
}

}  // namespace dlperf::report
