// SPDX-License-Identifier: Apache-2.0
#include "base/world.h"

#include <array>
#include <cstdlib>

#include "base/failure.h"
#include "base/numbers.h"

namespace dlperf::worker {
namespace {

// The names that one kind of launcher gives the same four numbers.
struct Names {
    const char* rank;
    const char* size;
    const char* localRank;
    const char* localSize;
};
constexpr std::array<Names, 4> launcherNames{{
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    // Only srun sets the step's variables; SLURM_NTASKS alone is also there in a batch script, which is one
    // process.
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
}};

constexpr int maxWorld = 1 << 20;

int number(const std::string& name, const std::string& text, int lowest, int highest) {
    const auto value = numberIn<int>(text);
    if (!value || *value < lowest || *value > highest) {
        throw Failure(ExitCode::Usage, "the environment's " + name + " must be a whole number from " +
                                           std::to_string(lowest) + " to " + std::to_string(highest) +
                                           ", not '" + text + "'");
    }
    return *value;
}

int numberOr(const Environment& environment, const char* name, int lowest, int highest, int otherwise) {
    const auto text = environment(name);
    return text ? number(name, *text, lowest, highest) : otherwise;
}

const Names* launcherOf(const Environment& environment) {
    for (const Names& names : launcherNames) {
        if (environment(names.rank) && environment(names.size)) {
            return &names;
        }
    }
    if (environment("RANK") || environment("WORLD_SIZE")) {
        throw Failure(ExitCode::Usage, "RANK and WORLD_SIZE must both be in the environment, or neither");
    }
    return nullptr;
}

// Slurm's is a list for all nodes, others' the one number of such a list.
int localSizeOf(const Environment& environment, const Names& names, int size) {
    const std::string list = environment(names.localSize).value_or("1");
    const int node = numberOr(environment, "SLURM_NODEID", 0, maxWorld, 0);
    return number(names.localSize, tasksOnNode(list, node), 1, size);
}

// Scripts that give torchrun's names on top of another launcher's often leave this one out. So the other
// launchers' count, too, where they have started as many processes.
int findLocalSize(const Environment& environment, const Names& chosen, int size) {
    if (environment(chosen.localSize)) {
        return localSizeOf(environment, chosen, size);
    }
    for (const Names& names : launcherNames) {
        if (environment(names.size) == std::to_string(size) && environment(names.localSize)) {
            return localSizeOf(environment, names, size);
        }
    }
    return 1;
}

// Without MASTER_ADDR: Slurm knows the nodes; others are fine where all processes are on one node.
void findMaster(const Environment& environment, World& world) {
    const auto nodes = environment("SLURM_STEP_NODELIST");
    const auto job = environment("SLURM_JOB_ID");
    if (nodes && job) {
        constexpr int firstPort = 20000;  // a range below that of ephemeral ports
        constexpr int ports = 10000;
        world.masterAddress = firstHostOf(*nodes);
        world.masterPort =
            static_cast<std::uint16_t>(firstPort + number("SLURM_JOB_ID", *job, 0, 2147483647) % ports);
    } else if (world.localSize != world.size) {
        throw Failure(ExitCode::Usage,
                      "MASTER_ADDR must be in the environment: the address of rank 0, which this "
                      "process (rank " +
                          std::to_string(world.rank) + " of " + std::to_string(world.size) +
                          ") cannot guess");
    }
}

}  // namespace

std::optional<std::string> processEnvironment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') {
        return std::nullopt;
    }
    return std::string(value);
}

std::string firstHostOf(const std::string& nodeList) {
    const std::size_t bracket = nodeList.find('[');
    const std::size_t comma = nodeList.find(',');
    if (bracket == std::string::npos || comma < bracket) {
        return nodeList.substr(0, comma);
    }
    const std::size_t end = nodeList.find_first_of("-,]", bracket);
    const std::size_t close = nodeList.find(']', bracket);
    if (close == std::string::npos) {
        return nodeList;
    }
    const std::string suffix = nodeList.substr(close + 1, nodeList.find(',', close) - close - 1);
    return nodeList.substr(0, bracket) + nodeList.substr(bracket + 1, end - bracket - 1) + suffix;
}

std::string tasksOnNode(const std::string& list, int node) {
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = list.find(',', begin);
        const std::string entry = list.substr(begin, end - begin);
        const std::size_t times = entry.find("(x");
        const bool repeated = times != std::string::npos && entry.back() == ')';
        node -= repeated ? numberIn<int>(entry.substr(times + 2, entry.size() - times - 3)).value_or(1) : 1;
        if (node < 0 || end == std::string::npos) {
            return entry.substr(0, repeated ? times : std::string::npos);
        }
        begin = end + 1;
    }
}

std::uint16_t masterPortIn(const Environment& environment, std::uint16_t otherwise) {
    return static_cast<std::uint16_t>(numberOr(environment, "MASTER_PORT", 1, 65535, otherwise));
}

World worldFromEnvironment(const Environment& environment) {
    World world;
    const Names* names = launcherOf(environment);
    if (names == nullptr) {
        return world;
    }
    world.size = numberOr(environment, names->size, 1, maxWorld, 1);
    world.rank = numberOr(environment, names->rank, 0, world.size - 1, 0);
    world.localRank = numberOr(environment, names->localRank, 0, world.size - 1, 0);
    world.localSize = findLocalSize(environment, *names, world.size);
    if (const auto address = environment("MASTER_ADDR")) {
        world.masterAddress = *address;
    } else if (world.size > 1) {
        findMaster(environment, world);
    }
    world.masterPort = masterPortIn(environment, world.masterPort);
    // torchrun then serves a store of its own at MASTER_PORT for as long as the processes live.
    if (environment("TORCHELASTIC_USE_AGENT_STORE") == "True") {
        world.masterPort =
            static_cast<std::uint16_t>(world.masterPort < 65535 ? world.masterPort + 1 : 65534);
    }
    return world;
}

}  // namespace dlperf::worker
