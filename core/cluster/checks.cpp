// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::int64_t gigabyte = 1'000'000'000;
constexpr std::int64_t leastFree = 5 * gigabyte;          // logs are small; data sets and caches are not
constexpr std::int64_t leastSharedMemory = 1 * gigabyte;  // Docker's default is 64 MB
constexpr double busyShare = 0.25;                        // of the cores

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
    if (facts.freeBytes < leastFree) {
        return {"Disk space",
                Verdict::Warning,
                fmt::format("{} free in {}", gigabytes(facts.freeBytes), node.workDir),
                "A full disk ends a run, and what the trainer would have written is gone.",
                {},
                "Look at what fills it",
                fmt::format("df -h {}", quoted)};
    }
    return passed("Work folder", fmt::format("{} free in {}", gigabytes(facts.freeBytes), node.workDir));
}

std::optional<Check> checkSetup(const Node& node, const NodeFacts& facts) {
    if (node.setup.empty()) {
        return std::nullopt;
    }
    if (!facts.setupFailed) {
        return passed("Setup", "ran without an error");
    }
    return Check{"Setup",
                 Verdict::Failed,
                 "ended with an error",
                 "The setup is sourced before every script; a run would end there.",
                 facts.setupSaid,
                 "Correct the setup in the node's settings",
                 node.setup};
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
    if (facts.dataDirExists) {
        return passed("Data folder", node.dataDir);
    }
    return Check{"Data folder",
                 Verdict::Warning,
                 fmt::format("{} is not there", node.dataDir),
                 "Recipes that read a data set end at their start; those with synthetic data run.",
                 {},
                 "Mount or copy the data set, or name another folder in the node's settings",
                 fmt::format("ls -ld {}", shellQuote(node.dataDir))};
}

// What the node or the plan counts on, and the GPUs that are there.
Check checkDeviceCount(const Node& node, const NodeFacts& facts, const Needs& needs) {
    const int there = static_cast<int>(facts.gpus.size());
    const int wanted = std::max(node.devices.value_or(0), needs.devices);
    if (wanted <= there) {
        return passed("GPUs", fmt::format("{} x {}", there, facts.gpus.front().name));
    }
    return {"GPUs",
            Verdict::Failed,
            fmt::format("{} of {}", there, wanted),
            node.devices.value_or(0) > there ? "The node's settings name more devices than it has."
                                             : "The plan has a topology with more devices on a node.",
            {},
            "Look whether the driver has lost one, or correct the settings",
            "nvidia-smi -L; sudo dmesg | grep -i xid"};
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
    return {"Devices idle",
            Verdict::Warning,
            fmt::format("{} {} on the GPUs", busy, busy == 1 ? "process" : "processes"),
            "What else runs on a GPU takes its share of time and memory: figures would be too low.",
            evidence,
            "Wait for it to end, or ask its owner",
            "nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv"};
}

Check checkProcessorsIdle(const NodeFacts& facts) {
    const std::string summary = fmt::format("load {:.1f} on {} cores", facts.load, facts.cores);
    if (facts.load <= busyShare * facts.cores) {
        return passed("Processors idle", summary);
    }
    return {"Processors idle",
            Verdict::Warning,
            summary,
            "Other programs use this machine's cores: a run on CPU processes would be slower than it can be.",
            {},
            "See what runs",
            "top -o %CPU"};
}

std::optional<Check> checkGovernor(const NodeFacts& facts) {
    if (facts.governor.empty()) {
        return std::nullopt;
    }
    if (facts.governor != "powersave" && facts.governor != "conservative") {
        return passed("Processor clock", fmt::format("governor {}", facts.governor));
    }
    return Check{"Processor clock",
                 Verdict::Warning,
                 fmt::format("governor {}", facts.governor),
                 "The clock follows the load with delay, so short iterations are measured at a low clock.",
                 {},
                 "Set the governor to performance while you measure",
                 "sudo cpupower frequency-set -g performance"};
}

Check checkSharedMemory(const NodeFacts& facts) {
    const std::string summary = fmt::format("{} in /dev/shm", gigabytes(facts.sharedMemoryBytes));
    if (facts.sharedMemoryBytes >= leastSharedMemory) {
        return passed("Shared memory", summary);
    }
    return {"Shared memory",
            Verdict::Warning,
            summary,
            "Data loaders and NCCL exchange data there; with too little of it they die with a bus error.",
            {},
            "Give the container more, or mount it larger",
            "docker run --shm-size=8g …    # or: sudo mount -o remount,size=8G /dev/shm"};
}

bool isOn(const std::string& word) {
    return word == "Enabled";
}

Check checkGpuModes(const NodeFacts& facts) {
    const auto mig = std::ranges::count_if(facts.gpus, [](const GpuFacts& gpu) { return isOn(gpu.mig); });
    if (mig > 0) {
        return {"GPU modes",
                Verdict::Warning,
                fmt::format("MIG is on for {} of {}", mig, facts.gpus.size()),
                "A GPU in MIG mode is cut into slices; a trainer sees one of them at most.",
                {},
                "Switch MIG off while you measure whole GPUs",
                "sudo nvidia-smi -mig 0"};
    }
    const auto off =
        std::ranges::count_if(facts.gpus, [](const GpuFacts& gpu) { return gpu.persistence == "Disabled"; });
    if (off > 0) {
        return {"GPU modes",
                Verdict::Warning,
                fmt::format("persistence is off for {} of {}", off, facts.gpus.size()),
                "The driver is loaded anew for every run, which costs seconds and cools the clocks down.",
                {},
                "Switch persistence on",
                "sudo nvidia-smi -pm 1"};
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
    return Check{"Locked memory",
                 Verdict::Warning,
                 fmt::format("limited to {} KiB", facts.lockedMemory),
                 "InfiniBand locks the buffers it sends from; with this limit NCCL cannot register them.",
                 {},
                 "Lift the limit in the shell or the container",
                 "ulimit -l unlimited    # container: docker run --ulimit memlock=-1 …"};
}

std::optional<Check> checkInfinibandDriver(const NodeFacts& facts) {
    if (facts.infiniband.empty()) {
        return std::nullopt;
    }
    if (facts.infinibandWithoutDriver.empty()) {
        return passed("InfiniBand", facts.infiniband.front());
    }
    return Check{
        "InfiniBand",
        Verdict::Warning,
        fmt::format("no user-space driver for {}", join(facts.infinibandWithoutDriver, ", ")),
        "Without it NCCL falls back to TCP sockets, and many nodes scale badly. In a container it is "
        "the container that needs it.",
        join(facts.infiniband, "\n"),
        "Install the driver's user-space packages",
        "sudo apt-get install ibverbs-providers    # or MLNX_OFED; then: ibv_devinfo"};
}

}  // namespace

Check passed(std::string title, std::string summary) {
    return {std::move(title), Verdict::Passed, std::move(summary), {}, {}, {}, {}};
}

Check notReached(const Error& error) {
    return {"Reachable", Verdict::Failed, "not reached", error.what, error.where, error.remedy, {}, true};
}

std::vector<Check> checkNode(const Node& node, const NodeFacts& facts, const Needs& needs) {
    std::vector<Check> checks;
    const auto add = [&](std::optional<Check> check) {
        if (check) {
            checks.push_back(*std::move(check));
        }
    };
    add(checkWorkFolder(node, facts));
    add(checkSetup(node, facts));
    add(checkCommands(facts, needs));
    add(checkData(node, facts));
    if (facts.gpus.empty()) {
        add(checkProcessorsIdle(facts));
    } else {
        add(passed("Driver",
                   fmt::format("{}, CUDA {}", facts.driver, facts.cuda.empty() ? "?" : facts.cuda)));
        add(checkDeviceCount(node, facts, needs));
        add(checkDevicesIdle(facts));
        add(checkGpuModes(facts));
    }
    add(checkGovernor(facts));
    add(checkSharedMemory(facts));
    add(checkLockedMemory(facts));
    add(checkInfinibandDriver(facts));
    return checks;
}

}  // namespace dlperf::cluster
