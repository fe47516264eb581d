// SPDX-License-Identifier: Apache-2.0
// The node list: cluster.json as values.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::cluster {

// Devices of a node that has no GPUs and does not say.
inline constexpr int cpuProcesses = 2;

struct Node;

// A node that a Slurm job holds, or is to hold.
struct JobSeat {
    std::shared_ptr<const Node> login;  // where the job is submitted; shares the work folder with the node
    std::string job{};                  // its number; empty: the node is not known yet
    std::string folder{};               // the job's, absolute, in the work folder
    int index = 0;                      // of the node in the job, from 0
};

struct Node {
    std::string name;
    std::string host;    // address or alias of the SSH configuration; empty when local
    bool local = false;  // this machine
    std::optional<int> port;
    std::string user;
    std::string identityFile;
    std::optional<int> devices;  // else the GPUs found; without GPUs 2 CPU processes
    std::string deviceList;      // "0,1,…"; empty: 0 to devices-1
    std::string address;         // how the nodes reach each other; empty: the resolved host
    std::string interface;       // network interface that carries the traffic between nodes
    std::string rdma;
    std::string workDir = "~/dlperf";
    std::string dataDir;
    std::string setup;                   // bash, sourced before the script
    std::vector<std::string> container;  // command prefix, e.g. docker exec -i pt
    std::string containerWorkDir;
    // Else the container is started from this image, at need, and ends by itself (resources/node/enter.sh).
    std::string image;    // "docker.io/pytorch/pytorch:2.1.0"
    std::string runtime;  // podman, docker, apptainer, singularity; empty: the first that is there
    std::vector<std::string> imageOptions;  // further ones of its start, a word each: "--shm-size=8g"
    std::map<std::string, std::string> env;
    std::vector<std::string> secretEnv;  // names whose values are taken from the user, masked everywhere
    std::optional<JobSeat> seat;         // of a cluster whose scheduler is Slurm

    // Of workDir and containerWorkDir.
    [[nodiscard]] const std::string& runsIn() const {
        return container.empty() || containerWorkDir.empty() ? workDir : containerWorkDir;
    }
    [[nodiscard]] bool inContainer() const { return !container.empty() || !image.empty(); }
};

// How nodes are asked of Slurm. Texts are values of sbatch's options; an empty one is not given.
struct Slurm {
    std::shared_ptr<const Node> login;
    std::string partition;
    std::string account;
    std::string qos;
    std::string reservation;
    std::string constraint;
    std::string gres;       // on each node, "gpu:8"
    std::string timeLimit;  // of a job, "2:00:00"; else what its runs may take
    bool exclusive = true;
    bool jobPerCampaign = false;       // else a job for each run
    std::vector<std::string> options;  // further ones, a word each: "--mem=0"
};

struct Cluster {
    std::string name;
    std::vector<Node> nodes;  // with Slurm as many as a run may take, all alike, named when a job has them
    std::optional<Slurm> slurm{};  // else each node is reached by itself
};

// The beginning of a script about the container of a node's image, for the machine that holds it; see
// container.sh.
[[nodiscard]] std::string containerScript(const Node& node);

[[nodiscard]] Result<Cluster> clusterFromJson(const Json& json, const std::string& where);
[[nodiscard]] Result<Node> nodeFromJson(const Json& json, const std::string& where);
[[nodiscard]] Json toJson(const Node& node);
[[nodiscard]] Result<Cluster> readCluster(const std::filesystem::path& path);
[[nodiscard]] Json toJson(const Cluster& cluster);

// This machine alone, as without --cluster. Without a number of devices: a probe or run::resolveNodes()
// asks for it.
[[nodiscard]] Cluster thisMachine();

// How a node was reached, for its details. What is not known, or does not apply, is empty.
struct Route {
    std::string way;      // "libssh2", "ssh program"; empty: this machine
    std::string place;    // "me@10.11.0.2:22"
    std::string through;  // "bastion,me@second:2222", or the proxy command
    std::string login;    // what the host took, in its order: "key /home/me/.ssh/id_ed25519, password"
    std::string hostKey;  // "ssh-ed25519"
};

// How the nodes of one run reach each other, in their order. Nodes that all stand on this machine meet on the
// loopback.
[[nodiscard]] std::vector<std::string> addressesOf(const std::vector<const Node*>& nodes);

// Names of nodes for one sentence: "a, b, c and 12 more".
[[nodiscard]] std::string named(const std::vector<std::string>& nodes);

}  // namespace dlperf::cluster
