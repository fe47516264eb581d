// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/probe.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/base/mapped.h"
#include "core/base/node_script.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostText = 200;     // bytes of one value
constexpr std::size_t mostEntries = 512;  // of one list
constexpr std::int64_t kibibyte = 1024;
constexpr std::int64_t mostKibibytes = std::int64_t{1} << 50;

using Answers = std::map<std::string, std::string, std::less<>>;

std::string clean(std::string_view text) {
    return cleanUtf8(trim(text).substr(0, mostText));
}

Answers readAnswers(std::string_view printed) {
    Answers answers;
    std::string* current = nullptr;
    for (const std::string_view line : split(printed, '\n')) {
        if (line.starts_with("@@ ")) {
            current = &answers[std::string(line.substr(3))];
        } else if (current != nullptr) {
            current->append(line).push_back('\n');
        }
    }
    return answers;
}

std::string_view answer(const Answers& answers, std::string_view name) {
    const auto found = answers.find(name);
    return found == answers.end() ? std::string_view() : trim(found->second);
}

template <class Number>
Number number(const Answers& answers, std::string_view name) {
    const std::string_view text = answer(answers, name);
    Number value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<std::string_view> lines(const Answers& answers, std::string_view name) {
    std::vector<std::string_view> found;
    for (const std::string_view line : split(answer(answers, name), '\n')) {
        if (!trim(line).empty() && found.size() < mostEntries) {
            found.push_back(line);
        }
    }
    return found;
}

std::vector<std::string> texts(const Answers& answers, std::string_view name) {
    return mapped(lines(answers, name), clean);
}

std::optional<std::int64_t> counted(const Answers& answers, std::string_view name) {
    return answer(answers, name).empty() ? std::nullopt : std::optional(number<std::int64_t>(answers, name));
}

// Printed in KiB; what no machine has is nothing.
std::optional<std::int64_t> bytes(const Answers& answers, std::string_view name) {
    const auto kibibytes = counted(answers, name);
    return kibibytes && *kibibytes >= 0 && *kibibytes <= mostKibibytes ? std::optional(*kibibytes * kibibyte)
                                                                       : std::nullopt;
}

// Exactly `count` fields; the last one takes the rest, whatever it holds.
std::vector<std::string> fields(std::string_view line, char separator, std::size_t count) {
    std::vector<std::string> found;
    while (found.size() + 1 < count) {
        const std::size_t end = std::min(line.find(separator), line.size());
        found.push_back(clean(line.substr(0, end)));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    found.push_back(clean(line));
    return found;
}

void readGpus(NodeFacts& facts, const Answers& answers) {
    for (const std::string_view line : lines(answers, "gpus")) {
        const auto value = fields(line, ',', 8);
        if (value[0].starts_with("GPU-")) {  // else it is a message of the driver
            facts.gpus.push_back({value[7], value[2], value[3], value[4], value[5], value[6], value[0]});
            facts.driver = value[1];
        }
    }
    for (const std::string_view line : lines(answers, "gpu_processes")) {
        const auto value = fields(line, ',', 3);
        if (value[0].starts_with("GPU-")) {
            facts.gpuProcesses.push_back({value[0], value[1], value[2]});
        }
    }
    // Untrimmed: the blanks before the first column tell the header from a row.
    if (const auto printed = answers.find("topology"); printed != answers.end()) {
        if (auto matrix = parseTopologyMatrix(printed->second); matrix) {
            facts.topology = *std::move(matrix);
        }
    }
    facts.cuda = clean(answer(answers, "nvcc"));
    if (facts.cuda.empty()) {
        facts.cuda = clean(answer(answers, "driver_cuda"));
    }
    facts.nccl = clean(answer(answers, "nccl"));
    facts.cudnn = clean(answer(answers, "cudnn"));
}

void readInterfaces(NodeFacts& facts, const Answers& answers) {
    for (const std::string_view line : lines(answers, "interfaces")) {
        const auto value = fields(line, '\t', 5);
        InterfaceFacts interface;
        interface.name = value[0];
        interface.isVirtual = value[1] == "virtual";
        interface.speed = std::max(0, toInt(value[2]).value_or(0));
        interface.up = value[3] == "up" || (value[3] == "unknown" && !value[4].empty());
        interface.addresses = value[4];
        facts.interfaces.push_back(std::move(interface));
    }
    facts.ownAddresses = texts(answers, "own_addresses");
    facts.infiniband = texts(answers, "infiniband");
    facts.infinibandWithoutDriver = texts(answers, "infiniband_without_driver");
}

// What bash is given. The environment is the node's own; a recipe's is not known here.
std::string setupScript(const Node& node, const ProbeQuestions& questions) {
    std::string commands;
    for (const std::string& command : questions.commands) {
        commands += shellQuote(command) + " ";
    }
    return exportLines(node.env) + node_script::set("node_setup", node.setup) + "node_commands=(" + commands +
           ")\n" + std::string(node_script::probe_setup);
}

}  // namespace

std::string probeScript(const Node& node, const ProbeQuestions& questions) {
    using node_script::set;
    return set("work", node.workDir) + set("data", node.dataDir) +
           set("count_data", questions.countData ? "yes" : "") +
           set("setup_script", setupScript(node, questions)) + std::string(node_script::home) +
           std::string(node_script::cpu_quota) + std::string(node_script::probe);
}

int NodeFacts::devices(const Node& node) const {
    const int found = gpus.empty() ? cpuProcesses : static_cast<int>(gpus.size());
    return node.devices.value_or(found);
}

NodeFacts parseProbe(std::string_view printed) {
    const Answers answers = readAnswers(printed);
    const auto text = [&](std::string_view name) { return clean(answer(answers, name)); };
    NodeFacts facts;
    facts.host = text("host");
    facts.machine = join(texts(answers, "machine"), " ");
    facts.system = text("system");
    facts.kernel = text("kernel");
    facts.processor = text("processor");
    facts.cores = number<int>(answers, "cores");
    if (const double quota = number<double>(answers, "cpu_quota"); std::isfinite(quota) && quota > 0) {
        facts.cpuQuota = quota;
    }
    facts.numaNodes = number<int>(answers, "numa");
    facts.governor = text("governor");
    facts.load = number<double>(answers, "load");
    facts.memoryBytes = bytes(answers, "memory_kib").value_or(0);
    facts.sharedMemoryBytes = bytes(answers, "shm_kib");
    facts.lockedMemory = text("memlock");
    facts.workDir = text("work_dir");
    facts.workDirWritable = text("work_writable") == "yes";
    facts.freeBytes = bytes(answers, "free_kib");
    facts.dataDir = text("data_dir");
    facts.dataDirExists = text("data_missing") != "yes";
    facts.dataDirEmpty = text("data_empty") == "yes";
    facts.setupFailed = text("setup_failed") == "yes";
    facts.setupSaid = text("setup_said");
    facts.dataEntries = counted(answers, "data_entries");
    facts.dataFiles = counted(answers, "data_files");
    if (text("commands_looked_for") == "yes") {
        facts.missingCommands = texts(answers, "missing_commands");
    }
    facts.pythonPackages = texts(answers, "python");
    readGpus(facts, answers);
    readInterfaces(facts, answers);
    return facts;
}

std::optional<Clock> clockOf(std::string_view printed, double asked, double answered) {
    const std::string_view text = trim(printed);
    double time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (error != std::errc() || !std::isfinite(time)) {
        return std::nullopt;
    }
    const bool isWhole = time == std::floor(time);
    return Clock{time - (asked + answered) / 2, (answered - asked) / 2 + (isWhole ? 1 : 0)};
}

}  // namespace dlperf::cluster
