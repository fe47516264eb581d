// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace dlperf::worker {

// This process's place among those that train together.
struct World {
    int rank = 0;
    int size = 1;
    int localRank = 0;  // among those on this node
    int localSize = 1;
    std::string masterAddress = "127.0.0.1";  // where rank 0 listens
    std::uint16_t masterPort = 29500;         // torchrun's default
};

using Environment = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> processEnvironment(const char* name);

// Reads, in this order, torchrun's variables (RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE), Open MPI's,
// those of a Slurm step, and PMI's (MPICH). MASTER_ADDR and MASTER_PORT are read with any of them; a Slurm
// step without them takes its first node and a port made from the job's number. Nothing set: one process
// alone. Where the local size is missing, another launcher's of as many processes counts. Throws
// Failure(Usage) where the variables contradict each other.
World worldFromEnvironment(const Environment& environment);
// MASTER_PORT, checked as all of them.
std::uint16_t masterPortIn(const Environment& environment, std::uint16_t otherwise);

// The first host of a Slurm node list: "n[03-05,9],m1" gives "n03".
std::string firstHostOf(const std::string& nodeList);
// What Slurm's list of processes on each node says of a node: "8(x2),4" gives 8 for nodes 0 and 1, 4 for 2.
std::string tasksOnNode(const std::string& list, int node);

}  // namespace dlperf::worker
