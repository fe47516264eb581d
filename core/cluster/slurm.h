// SPDX-License-Identifier: Apache-2.0
// Clusters whose nodes Slurm gives.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"
#include "core/model/case.h"

namespace dlperf::cluster {

// A cluster.json with "scheduler": "slurm": what its jobs ask for stands under "slurm", what its nodes are
// like under "node", and "nodes" is how many a run may take.
[[nodiscard]] Result<Cluster> slurmCluster(const Json& json, const std::string& where);
[[nodiscard]] Json slurmJson(const Cluster& cluster);

// As sinfo(1) tells it. Of unlike nodes the first kind counts, and the number is that of all.
struct Partition {
    std::string name;
    bool isDefault = false;
    int nodes = 0;
    int cpus = 0;           // of a node
    std::string gres;       // of a node, "gpu:v100:8"; may be empty
    std::string timeLimit;  // "1-00:00:00", "infinite"
    bool isUp = true;
};

// From what partitions.sh printed.
[[nodiscard]] std::vector<Partition> parsePartitions(std::string_view printed);
// All nodes of a partition, with all of their GPUs.
[[nodiscard]] Cluster clusterOfPartition(const Partition& partition, const Node& login);

struct JobHost {
    std::string name;
    std::string address;  // by which Slurm reaches it; may be empty
};

// The nodes of a job that runs on these hosts, in their order.
[[nodiscard]] std::vector<Node> nodesOfJob(const Cluster& cluster, const std::string& job,
                                           const std::string& folder, const std::vector<JobHost>& hosts);

// "90" are minutes; "1:30:00", "1-12:00": what sbatch(1) takes as a time limit, or nothing for anything else.
// Zero: as long as the partition allows.
[[nodiscard]] std::optional<std::chrono::seconds> parseTimeLimit(std::string_view text);
// A job would be ended before a run in it has had so much time.
[[nodiscard]] bool endsBefore(const Slurm& slurm, std::chrono::seconds runTime);
// What a job asks for where its cluster says no limit: the run's time, and some for what comes before and
// after its trainer.
[[nodiscard]] std::chrono::minutes jobTimeFor(std::chrono::seconds timeout);

// What the job of a run asks for, or that of its campaign, which serves the largest of `all` runs.
struct JobSize {
    int nodes = 1;
    std::chrono::minutes timeLimit{};  // zero: what the cluster says, else what the partition allows
};
[[nodiscard]] JobSize jobSizeOf(const Slurm& slurm, const Topology& run, std::span<const Topology> all,
                                std::chrono::seconds timeout);

// The words behind `sbatch`.
[[nodiscard]] std::vector<std::string> sbatchOptions(const Slurm& slurm);

}  // namespace dlperf::cluster
