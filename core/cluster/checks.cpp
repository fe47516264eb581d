// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "core/base/text.h"
#include "core/cluster/cluster.h"
#include "core/model/node_name.h"

namespace dlperf::cluster {
namespace {

constexpr std::int64_t gigabyte = 1'000'000'000;
constexpr std::int64_t goodFree = 5 * gigabyte;           // logs are small; data sets and caches are not
constexpr std::int64_t leastFree = gigabyte / 20;         // a run's scripts and the first lines of its log
constexpr std::int64_t leastSharedMemory = 1 * gigabyte;  // Docker's default is 64 MB
constexpr double busyShare = 0.25;                        // of the cores

void append(std::vector<Check>& checks, std::optional<Check> check) {
    if (check) {
        checks.push_back(*std::move(check));
    }
}

std::string gigabytes(std::int64_t bytes) {
    const double value = static_cast<double>(bytes) / static_cast<double>(gigabyte);
    return value < 10 ? fmt::format("{:.1f} GB", value) : fmt::format("{:.0f} GB", value);
}

Check checkWorkFolder(const Node& node, const NodeFacts& facts) {
    const std::string quoted = shellQuote(facts.workDir);
    if (!facts.workDirWritable) {
        return {"Work folder",
                Verdict::Failed,
                fmt::format("{} is not writable", node.workDir),
                "Every run makes its folder there, with script, environment and logs.",
                {},
                "Make the folder, or name another one in the node's settings",
                fmt::format("sudo install -d -o \"$USER\" {}", quoted),
                true};
    }
    if (!facts.freeBytes) {
        return passed("Work folder", fmt::format("{}; df does not say what is free", node.workDir));
    }
    const std::string summary = fmt::format("{} free in {}", gigabytes(*facts.freeBytes), node.workDir);
    if (*facts.freeBytes >= goodFree) {
        return passed("Work folder", summary);
    }
    Check check = warning("Disk space", summary,
                          "A full disk ends a run, and what the trainer would have written is gone.",
                          "Look at what fills it", fmt::format("df -h {}", quoted));
    if (*facts.freeBytes < leastFree) {
        check.verdict = Verdict::Failed;
        check.stopsRun = true;
    }
    return check;
}

std::optional<Check> checkSetup(const Node& node, const NodeFacts& facts) {
    if (node.setup.empty()) {
        return std::nullopt;
    }
    if (!facts.setupFailed) {
        return passed("Setup", "ran without an error");
    }
    return failed("Setup", "ended with an error",
                  "The setup is sourced before every script; a run would end there.",
                  "Correct the setup in the node's settings", node.setup, facts.setupSaid);
}

std::optional<Check> checkCommands(const NodeFacts& facts, const Needs& needs) {
    if (needs.commands.empty() || !facts.missingCommands) {
        return std::nullopt;
    }
    const auto& missing = *facts.missingCommands;
    if (missing.empty()) {
        return passed("Commands", join(needs.commands, ", "));
    }
    return Check{"Commands",
                 Verdict::Failed,
                 fmt::format("{} {} missing", join(missing, ", "), missing.size() == 1 ? "is" : "are"),
                 "A recipe of the plan starts with it; the run would end at once.",
                 {},
                 "Install it, or bring it on the PATH in the node's setup",
                 fmt::format("command -v {}", shellQuote(missing.front())),
                 true};
}

std::optional<Check> checkData(const Node& node, const NodeFacts& facts) {
    if (node.dataDir.empty()) {
        return std::nullopt;
    }
    if (facts.dataDirEmpty) {
        return warning("Data folder", fmt::format("{} is empty", node.dataDir),
                       "Recipes that read a data set end at their start; those with synthetic data run.",
                       "Mount or copy the data set: the mount may be missing on this node",
                       fmt::format("findmnt -T {}", shellQuote(facts.dataDir)));
    }
    if (facts.dataDirExists) {
        return passed("Data folder", node.dataDir);
    }
    return warning("Data folder", fmt::format("{} is not there", node.dataDir),
                   "Recipes that read a data set end at their start; those with synthetic data run.",
                   "Mount or copy the data set, or name another folder in the node's settings",
                   fmt::format("ls -ld {}", shellQuote(facts.dataDir)));
}

// What the node or the plan counts on, and the GPUs that are there.
Check checkDeviceCount(const Node& node, const NodeFacts& facts, const Needs& needs) {
    const int there = static_cast<int>(facts.gpus.size());
    const int wanted = std::max(node.devices.value_or(0), needs.devices);
    if (wanted <= there) {
        return passed("GPUs", fmt::format("{} x {}", there, facts.gpus.front().name));
    }
    return failed("GPUs", fmt::format("{} of {}", there, wanted),
                  node.devices.value_or(0) > there ? "The node's settings name more devices than it has."
                                                   : "The plan has a topology with more devices on a node.",
                  "Look whether the driver has lost one, or correct the settings",
                  "nvidia-smi -L; sudo dmesg | grep -i xid");
}

Check checkDevicesIdle(const NodeFacts& facts) {
    const std::size_t busy = facts.gpuProcesses.size();
    if (busy == 0) {
        return passed("Devices idle", fmt::format("0 of {} in use", facts.gpus.size()));
    }
    std::string evidence;
    for (const GpuProcess& process : facts.gpuProcesses) {
        evidence += fmt::format("{}{}  {}  {}", evidence.empty() ? "" : "\n", process.uuid, process.pid,
                                process.name);
    }
    return warning(
        "Devices idle", fmt::format("{} {} on the GPUs", busy, busy == 1 ? "process" : "processes"),
        "What else runs on a GPU takes its share of time and memory: figures would be too low.",
        "Wait for it to end, or ask its owner",
        "nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv", evidence);
}

Check checkProcessorsIdle(const NodeFacts& facts) {
    const std::string summary = fmt::format("load {:.1f} on {} cores", facts.load, facts.cores);
    if (facts.load <= busyShare * facts.cores) {
        return passed("Processors idle", summary);
    }
    return warning(
        "Processors idle", fmt::format("busy, load {:.1f} on {} cores", facts.load, facts.cores),
        "Other programs use this machine's cores: a run on CPU processes would be slower than it can be.",
        "See what runs", "top -o %CPU");
}

// Where there are GPUs the processes mostly wait for them.
std::optional<Check> checkThreads(const NodeFacts& facts, const Needs& needs) {
    if (facts.cores < 1 || needs.threads < 1) {
        return std::nullopt;
    }
    const std::string summary = fmt::format("{} compute on {} cores", needs.threads, facts.cores);
    if (needs.threads <= facts.cores) {
        return passed("Threads", summary);
    }
    return warning(
        "Threads", summary,
        "Threads that wait for a core keep all others waiting, and those of OpenMP spin meanwhile: "
        "figures are a fraction of what the machine can do.",
        "Give each process fewer threads, by the option threads or OMP_NUM_THREADS, or choose "
        "topologies of fewer devices",
        "nproc");
}

std::optional<Check> checkCpuQuota(const NodeFacts& facts) {
    if (!facts.cpuQuota || !holdsBack(*facts.cpuQuota, facts.cores)) {
        return std::nullopt;
    }
    return warning(
        "CPU quota", fmt::format("the time of {:.2f} of {} cores", *facts.cpuQuota, facts.cores),
        "What runs in this container or control group is stopped once it has used so much. Data loaders and "
        "trainers that count the cores begin more threads than can run.",
        "Raise the limit, or give the recipes as few workers and threads as it allows",
        "cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us");
}

std::optional<Check> checkGovernor(const NodeFacts& facts) {
    if (facts.governor.empty()) {
        return std::nullopt;
    }
    if (facts.governor != "powersave" && facts.governor != "conservative") {
        return passed("Processor clock", fmt::format("governor {}", facts.governor));
    }
    return warning("Processor clock", fmt::format("governor {}", facts.governor),
                   "The clock follows the load with delay, so short iterations are measured at a low clock.",
                   "Set the governor to performance while you measure",
                   "sudo cpupower frequency-set -g performance");
}

std::optional<Check> checkSharedMemory(const NodeFacts& facts) {
    if (!facts.sharedMemoryBytes) {
        return std::nullopt;
    }
    const std::string summary = fmt::format("{} in /dev/shm", gigabytes(*facts.sharedMemoryBytes));
    if (*facts.sharedMemoryBytes >= leastSharedMemory) {
        return passed("Shared memory", summary);
    }
    return warning(
        "Shared memory", summary,
        "Data loaders and NCCL exchange data there; with too little of it they die with a bus error.",
        "Give the container more, or mount it larger",
        "docker run --shm-size=8g …    # or: sudo mount -o remount,size=8G /dev/shm");
}

bool isOn(const std::string& word) {
    return word == "Enabled";
}

Check checkGpuModes(const NodeFacts& facts) {
    const auto mig = std::ranges::count_if(facts.gpus, [](const GpuFacts& gpu) { return isOn(gpu.mig); });
    if (mig > 0) {
        return warning("GPU modes", fmt::format("MIG is on for {} of {}", mig, facts.gpus.size()),
                       "A GPU in MIG mode is cut into slices; a trainer sees one of them at most.",
                       "Switch MIG off while you measure whole GPUs", "sudo nvidia-smi -mig 0");
    }
    const auto off =
        std::ranges::count_if(facts.gpus, [](const GpuFacts& gpu) { return gpu.persistence == "Disabled"; });
    if (off > 0) {
        return warning(
            "GPU modes", fmt::format("persistence is off for {} of {}", off, facts.gpus.size()),
            "The driver is loaded anew for every run, which costs seconds and cools the clocks down.",
            "Switch persistence on", "sudo nvidia-smi -pm 1");
    }
    return passed("GPU modes", "persistence on, MIG off");
}

std::optional<Check> checkLockedMemory(const NodeFacts& facts) {
    if (facts.infiniband.empty()) {
        return std::nullopt;
    }
    if (facts.lockedMemory == "unlimited") {
        return passed("Locked memory", "unlimited");
    }
    return warning("Locked memory", fmt::format("limited to {} KiB", facts.lockedMemory),
                   "InfiniBand locks the buffers it sends from; with this limit NCCL cannot register them.",
                   "Lift the limit in the shell or the container",
                   "ulimit -l unlimited    # container: docker run --ulimit memlock=-1 …");
}

std::optional<Check> checkInfinibandDriver(const NodeFacts& facts) {
    if (facts.infiniband.empty()) {
        return std::nullopt;
    }
    if (facts.infinibandWithoutDriver.empty()) {
        return passed("InfiniBand", facts.infiniband.front());
    }
    return warning(
        "InfiniBand", fmt::format("no user-space driver for {}", join(facts.infinibandWithoutDriver, ", ")),
        "Without it NCCL falls back to TCP sockets, and many nodes scale badly. In a container it is "
        "the container that needs it.",
        "Install the driver's user-space packages",
        "sudo apt-get install ibverbs-providers    # or MLNX_OFED; then: ibv_devinfo",
        join(facts.infiniband, "\n"));
}

constexpr double mostSkew = 1;  // s; beyond what asking leaves in doubt
constexpr double longSkew = 120;

using Reached = std::vector<const NodeAnswer*>;
using Values = std::vector<std::pair<std::string, std::string>>;  // node and what it has

// The nodes by what they have; what most have goes first.
std::vector<std::pair<std::string, std::vector<std::string>>> grouped(const Values& values) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [node, value] : values) {
        groups[value].push_back(node);
    }
    std::vector<std::pair<std::string, std::vector<std::string>>> ordered(groups.begin(), groups.end());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return ordered;
}

std::string wordFor(const std::string& value) {
    return value.empty() ? "none" : value;
}

// "2.7.3 on most, 2.10.3 on node3"; every node in the evidence.
std::string differences(const Values& values) {
    const auto groups = grouped(values);
    std::string text = fmt::format("{} on {}", wordFor(groups.front().first),
                                   groups.front().second.size() > groups[1].second.size() && values.size() > 2
                                       ? "most"
                                       : named(groups.front().second));
    for (std::size_t i = 1; i < groups.size() && i <= 3; ++i) {
        text += fmt::format(", {} on {}", wordFor(groups[i].first), named(groups[i].second));
    }
    return text + (groups.size() > 4 ? ", …" : "");
}

std::string listed(const Values& values) {
    std::string text;
    for (const auto& [node, value] : values) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", node, wordFor(value));
    }
    return text;
}

// One thing that every node should have alike, with the words for when it has not.
struct Alike {
    const char* title;
    std::function<std::string(const NodeAnswer&)> value;
    const char* explanation;
    const char* remedy;
    const char* command;
};

std::optional<Check> checkAlike(const Alike& alike, const Reached& nodes) {
    Values values;
    for (const NodeAnswer* node : nodes) {
        values.emplace_back(node->node.name, alike.value(*node));
    }
    const bool known =
        std::any_of(values.begin(), values.end(), [](const auto& one) { return !one.second.empty(); });
    if (values.size() < 2 || !known) {
        return std::nullopt;
    }
    if (grouped(values).size() == 1) {
        return passed(alike.title, fmt::format("{} on all {}", values.front().second, values.size()));
    }
    return warning(alike.title, differences(values), alike.explanation, alike.remedy, alike.command,
                   listed(values));
}

std::string gpuText(const NodeAnswer& node) {
    const auto& gpus = node.facts->gpus;
    return gpus.empty() ? "" : fmt::format("{} x {}", gpus.size(), gpus.front().name);
}

const Alike alikeWithGpus[]{
    {"Driver", [](const NodeAnswer& node) { return node.facts->driver; },
     "Nodes with different drivers may be of different speed, and not every CUDA runs on each.",
     "Bring the same driver to every node", "nvidia-smi --query-gpu=driver_version --format=csv,noheader"},
    {"CUDA", [](const NodeAnswer& node) { return node.facts->cuda; },
     "A trainer that was built for one CUDA may not start with another.", "Install the same CUDA everywhere",
     "nvcc --version"},
    {"NCCL", [](const NodeAnswer& node) { return node.facts->nccl; },
     "Different versions of NCCL do not talk to each other: the start hangs in silence.",
     "Install the same NCCL everywhere, or use one container image", "ldconfig -p | grep libnccl"},
    {"cuDNN", [](const NodeAnswer& node) { return node.facts->cudnn; },
     "Versions of cuDNN choose different algorithms; the slowest node sets the pace.",
     "Install the same cuDNN everywhere, or use one container image", "ldconfig -p | grep libcudnn"}};

void checkPackages(std::vector<Check>& checks, const Reached& nodes) {
    std::set<std::string> packages;
    for (const NodeAnswer* node : nodes) {
        for (const std::string& package : node->facts->pythonPackages) {
            packages.insert(package.substr(0, package.find(' ')));
        }
    }
    for (const std::string& package : packages) {
        const auto version = [&](const NodeAnswer& node) {
            for (const std::string& one : node.facts->pythonPackages) {
                if (one.starts_with(package + " ")) {
                    return one.substr(package.size() + 1);
                }
            }
            return std::string();
        };
        const std::string command = "python3 -m pip show " + package;
        append(checks,
               checkAlike(
                   {package.c_str(), version,
                    "Processes with different versions of a framework may hang, or compute something else.",
                    "Install the same version everywhere, in the environment that the node's setup activates",
                    command.c_str()},
                   nodes));
    }
}

std::string duration(double seconds) {
    constexpr double hour = 3600;
    constexpr double day = 24 * hour;
    if (seconds < longSkew) {
        return fmt::format("{:.1f} s", seconds);
    }
    const double hours = seconds / hour;
    return fmt::format(
        "{:.0f} s ({})", seconds,
        seconds < day ? fmt::format("{:.1f} hours", hours) : fmt::format("{:.1f} days", seconds / day));
}

std::string skewText(const Clock& clock) {
    return fmt::format("{} {}", duration(std::abs(clock.ahead)), clock.ahead > 0 ? "ahead" : "behind");
}

// Of local nodes that is what their user wrote; of others an address that stands there twice.
std::optional<Check> checkMachines(const Reached& nodes) {
    std::map<std::string, std::vector<std::string>> byMachine;
    bool allLocal = true;
    for (const NodeAnswer* node : nodes) {
        if (!node->facts->machine.empty()) {
            byMachine[node->facts->machine].push_back(node->node.name);
        }
        allLocal = allLocal && node->node.local;
    }
    std::vector<std::string> shared;
    for (const auto& [machine, names] : byMachine) {
        if (names.size() > 1) {
            shared.push_back(named(names));
        }
    }
    if (shared.empty()) {
        return std::nullopt;
    }
    Check check = failed("Machines", join(shared, "; ") + " are one machine",
                         "Nodes that share a machine share its processors, devices and network: what they "
                         "reach together says nothing of how training scales.",
                         "Leave one of them in the list, with all devices of the machine", {});
    check.verdict = allLocal ? Verdict::Warning : Verdict::Failed;
    check.stopsRun = !allLocal;
    return check;
}

std::optional<Check> checkClocks(const Reached& nodes) {
    double most = 0;
    std::size_t asked = 0;
    std::vector<std::string> skewed;
    for (const NodeAnswer* node : nodes) {
        const auto& clock = node->facts->clock;
        if (!clock || node->node.local) {
            continue;
        }
        ++asked;
        most = std::max(most, std::abs(clock->ahead) + clock->doubt);
        if (std::abs(clock->ahead) > mostSkew + clock->doubt) {
            skewed.push_back(fmt::format("{} is {}", node->node.name, skewText(*clock)));
        }
    }
    if (asked == 0) {
        return std::nullopt;
    }
    if (skewed.empty()) {
        return passed("Clocks", fmt::format("within {} of this machine's", duration(most)));
    }
    return warning(
        "Clocks", named(skewed),
        "Logs of the nodes are put in order by their times, and certificates and licences look at the clock.",
        "Let the node set its clock by the network",
        "sudo timedatectl set-ntp true    # or: sudo chronyc makestep", join(skewed, "\n"));
}

// Folders of the data set; counted to the end on all nodes, or as far as all were.
std::optional<Check> checkDataSets(const Reached& nodes) {
    Values paths;
    Values files;
    Values entries;
    for (const NodeAnswer* node : nodes) {
        const NodeFacts& facts = *node->facts;
        paths.emplace_back(node->node.name, node->node.dataDir);
        if (facts.dataDirExists && facts.dataFiles) {
            files.emplace_back(node->node.name, fmt::format("{} files", *facts.dataFiles));
        }
        if (facts.dataDirExists && facts.dataEntries) {
            entries.emplace_back(node->node.name, fmt::format("{} entries", *facts.dataEntries));
        }
    }
    const bool isNamed =
        std::any_of(paths.begin(), paths.end(), [](const auto& one) { return !one.second.empty(); });
    if (nodes.size() < 2 || !isNamed) {
        return std::nullopt;
    }
    Check check{
        "Data set", Verdict::Warning,
        {},         "A node with other data, or without some of it, trains on something else, or waits.",
        {},         "Make the folder the same on every node, at the same path",
        {}};
    if (grouped(paths).size() > 1) {
        check.summary = differences(paths);
        check.evidence = listed(paths);
        check.command = "ls -ld";
        for (const auto& [path, names] : grouped(paths)) {
            check.command += path.empty() ? "" : " " + shellQuote(path);
        }
        return check;
    }
    check.command = fmt::format("find -L {} -type f | wc -l", shellQuote(nodes.front()->facts->dataDir));
    const bool whole = files.size() == nodes.size();
    const Values& counts = whole ? files : entries;
    if (counts.size() > 1 && grouped(counts).size() > 1) {
        check.summary = differences(counts);
        check.evidence = listed(counts);
        return check;
    }
    if (counts.size() < nodes.size()) {
        return std::nullopt;  // a folder that is missing is the node's own check; what was not counted is no
                              // fault
    }
    return passed("Data set",
                  fmt::format("{} in {} on all {}{}", counts.front().second, paths.front().second,
                              nodes.size(), whole ? "" : "; more files than can be counted in 10 s"));
}

std::optional<Check> checkInfiniband(const Reached& nodes) {
    std::vector<std::string> with;
    std::vector<std::string> without;
    for (const NodeAnswer* node : nodes) {
        (node->facts->infiniband.empty() ? without : with).push_back(node->node.name);
    }
    if (with.empty() || nodes.size() < 2) {
        return std::nullopt;
    }
    if (without.empty()) {
        return passed("InfiniBand", fmt::format("on all {}", with.size()));
    }
    return warning(
        "InfiniBand", fmt::format("not on {}", named(without)),
        "Nodes with and without InfiniBand talk over TCP sockets, or wait for each other at the start.",
        "Leave those nodes out, or switch InfiniBand off for all", "export NCCL_IB_DISABLE=1");
}

}  // namespace

Check passed(std::string title, std::string summary) {
    return {std::move(title), Verdict::Passed, std::move(summary), {}, {}, {}, {}};
}

Check warning(std::string title, std::string summary, std::string explanation, std::string remedy,
              std::string command, std::string evidence) {
    return {std::move(title),    Verdict::Warning,  std::move(summary), std::move(explanation),
            std::move(evidence), std::move(remedy), std::move(command)};
}

Check failed(std::string title, std::string summary, std::string explanation, std::string remedy,
             std::string command, std::string evidence) {
    Check check = warning(std::move(title), std::move(summary), std::move(explanation), std::move(remedy),
                          std::move(command), std::move(evidence));
    check.verdict = Verdict::Failed;
    return check;
}

Check notReached(const Error& error) {
    return {"Reachable", Verdict::Failed, "not reached", error.what, error.where, error.remedy, {}, true};
}

Error errorOf(const Check& check, const std::string& node) {
    const std::string command = check.command.empty() ? "" : ": " + check.command;
    return {lower(check.title) + ": " + check.summary,
            node.empty() ? "between the nodes" : nodeText(node),
            check.remedy.empty() ? "" : check.remedy + command + (command.empty() ? "." : ""),
            ErrorKind::Work,
            {}};
}

std::optional<Check> checkChanges(const NodeFacts& facts) {
    if (facts.changes.empty()) {
        return {};
    }
    return warning("Changed since the last check", join(facts.changes, "; "),
                   "Figures from before may not compare with those from now on.",
                   "Measure what you compare with again", "");
}

std::vector<Check> checkNode(const Node& node, const NodeFacts& facts, const Needs& needs) {
    std::vector<Check> checks;
    append(checks, checkWorkFolder(node, facts));
    append(checks, checkSetup(node, facts));
    append(checks, checkCommands(facts, needs));
    append(checks, checkData(node, facts));
    if (facts.gpus.empty()) {
        append(checks, checkProcessorsIdle(facts));
        append(checks, checkThreads(facts, needs));
    } else {
        append(checks, passed("Driver", fmt::format("{}, CUDA {}", facts.driver,
                                                    facts.cuda.empty() ? "?" : facts.cuda)));
        append(checks, checkDeviceCount(node, facts, needs));
        append(checks, checkDevicesIdle(facts));
        append(checks, checkGpuModes(facts));
    }
    append(checks, checkCpuQuota(facts));
    append(checks, checkGovernor(facts));
    append(checks, checkSharedMemory(facts));
    append(checks, checkLockedMemory(facts));
    append(checks, checkInfinibandDriver(facts));
    append(checks, checkChanges(facts));
    return checks;
}

std::vector<Check> checkCluster(const std::vector<NodeAnswer>& nodes) {
    Reached reached;
    Reached withGpus;
    for (const NodeAnswer& node : nodes) {
        if (node.facts) {
            reached.push_back(&node);
            if (!node.facts->gpus.empty()) {
                withGpus.push_back(&node);
            }
        }
    }
    std::vector<Check> checks;
    append(checks, checkMachines(reached));
    append(checks, checkClocks(reached));
    append(checks,
           checkAlike({"Devices", gpuText,
                       "Every iteration waits for the slowest device, and a topology needs the same number "
                       "on each node.",
                       "Leave the other nodes out of the plan, or name the devices to use", "nvidia-smi -L"},
                      reached));
    for (const Alike& alike : alikeWithGpus) {
        append(checks, checkAlike(alike, withGpus));
    }
    checkPackages(checks, reached);
    append(checks, checkDataSets(reached));
    append(checks, checkInfiniband(reached));
    return checks;
}

}  // namespace dlperf::cluster
