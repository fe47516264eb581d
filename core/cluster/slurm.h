// SPDX-License-Identifier: Apache-2.0
// Clusters whose nodes Slurm gives.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// A cluster.json with "scheduler": "slurm": what its jobs ask for stands under "slurm", what its nodes are
// like under "node", and "nodes" is how many a run may take.
[[nodiscard]] Result<Cluster> slurmCluster(const Json& json, const std::string& where);
[[nodiscard]] Json slurmJson(const Cluster& cluster);

struct JobHost {
    std::string name;
    std::string address;  // by which Slurm reaches it; may be empty
};

// The nodes of a job that runs on these hosts, in their order.
[[nodiscard]] std::vector<Node> nodesOfJob(const Cluster& cluster, const std::string& job,
                                           const std::string& folder, const std::vector<JobHost>& hosts);

// The words behind `sbatch`. `timeLimit` holds where the cluster has none; zero: the partition's.
[[nodiscard]] std::vector<std::string> sbatchOptions(const Slurm& slurm, std::chrono::minutes timeLimit);

}  // namespace dlperf::cluster
