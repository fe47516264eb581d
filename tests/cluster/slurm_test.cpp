// SPDX-License-Identifier: Apache-2.0
// Clusters whose nodes Slurm gives: their files, partitions, and what sbatch is asked for.
#include <gmock/gmock.h>

#include <map>

#include "core/cluster/slurm.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Json clusterJson(const Json& slurm, const Json& node = Json::object()) {
    return {{"name", "big"}, {"scheduler", "slurm"}, {"slurm", slurm}, {"nodes", 4}, {"node", node}};
}

std::string problemOf(const Json& json) {
    const auto cluster = clusterFromJson(json, "c.json");
    return cluster ? std::string() : describe(cluster.error());
}

TEST(SlurmCluster, AsksForWhatItsFileSays) {
    const auto cluster = clusterFromJson(clusterJson({{"partition", "gpu"},
                                                      {"account", "lab"},
                                                      {"gres", "gpu:v100:8"},
                                                      {"time_limit", "1:00:00"},
                                                      {"options", {"--mem=0"}}},
                                                     {{"work_dir", "/shared/me"}}),
                                         "c.json");
    ASSERT_TRUE(cluster) << describe(cluster.error());
    EXPECT_EQ(cluster->nodes.size(), 4U);
    EXPECT_EQ(cluster->nodes[3].name, "node4");
    EXPECT_EQ(cluster->nodes[3].devices, 8);
    EXPECT_TRUE(cluster->slurm->login->local);
    EXPECT_THAT(sbatchOptions(*cluster->slurm),
                ElementsAre("--partition=gpu", "--account=lab", "--gres=gpu:v100:8", "--time=1:00:00",
                            "--exclusive", "--mem=0"));
    EXPECT_EQ(toJson(*clusterFromJson(toJson(*cluster), "c.json")), toJson(*cluster));
}

TEST(SlurmCluster, DevicesAreTheGpusThatSlurmGives) {
    for (const auto& [gres, devices] : std::map<std::string, int>{
             {"gpu", 1}, {"gpu:a100", 1}, {"gpu:a100:4,gpu:v100:2", 6}, {"shard:8", cpuProcesses}}) {
        const auto cluster = clusterFromJson(clusterJson({{"gres", gres}}), "c.json");
        ASSERT_TRUE(cluster) << describe(cluster.error());
        EXPECT_EQ(cluster->nodes[0].devices, devices) << gres;
    }
}

TEST(SlurmCluster, NodesBearTheNamesOfTheirHosts) {
    const auto cluster = clusterFromJson(clusterJson({{"login", {{"host", "login.lab"}}}}), "c.json");
    ASSERT_TRUE(cluster) << describe(cluster.error());
    const auto nodes = nodesOfJob(*cluster, "17", "/shared/jobs/x", {{"n7", "10.0.0.7"}, {"n9", ""}});
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].name, "n7");
    EXPECT_THAT(addressesOf({&nodes[0], &nodes[1]}), ElementsAre("10.0.0.7", "n9"));
    EXPECT_EQ(nodes[1].seat->index, 1);
    EXPECT_EQ(nodes[1].seat->login->host, "login.lab");
}

TEST(SlurmCluster, ATimeLimitIsOneThatSbatchTakes) {
    using namespace std::chrono_literals;
    const std::map<std::string, std::chrono::seconds> taken{
        {"90", 90min},    {"90:30", 90min + 30s},   {"1:30:00", 90min},
        {"2-12", 60h},    {"2-12:30", 60h + 30min}, {"2-12:30:15", 60h + 30min + 15s},
        {"infinite", 0s}, {"UNLIMITED", 0s}};
    for (const auto& [text, limit] : taken) {
        EXPECT_EQ(parseTimeLimit(text), limit) << text;
        EXPECT_EQ(problemOf(clusterJson({{"time_limit", text}})), "");
    }
    for (const char* text : {"2h", "1:2:3:4", "1-2:3:4:5", "-5", "1-", "1:", "1-2-3", " 90", "1.5"}) {
        EXPECT_EQ(parseTimeLimit(text), std::nullopt) << text;
        EXPECT_THAT(problemOf(clusterJson({{"time_limit", text}})), HasSubstr("\"1:30:00\"")) << text;
    }
    EXPECT_EQ(jobTimeFor(3601s), 71min);
    Slurm slurm;
    const std::vector<Topology> all{{1, 8}, {4, 8}, {2, 8}};
    const auto sizeOf = [&] {
        const JobSize size = jobSizeOf(slurm, all[2], all, 3601s);
        return std::pair(size.nodes, size.timeLimit);
    };
    EXPECT_EQ(sizeOf(), std::pair(2, 71min));
    slurm.timeLimit = "30";
    EXPECT_EQ(sizeOf(), std::pair(2, 0min)) << "as the cluster says";
    slurm.jobPerCampaign = true;
    slurm.timeLimit.clear();
    EXPECT_EQ(sizeOf(), std::pair(4, 0min)) << "nobody knows how long a campaign takes";
}

TEST(SlurmCluster, WhatItsFileMustNotSayIsNamed) {
    EXPECT_THAT(problemOf(clusterJson({{"jobs", "week"}})), HasSubstr("\"jobs\" is \"week\""));
    EXPECT_THAT(problemOf(clusterJson({{"options", {"rm -rf"}}})), HasSubstr("must be options of sbatch"));
    EXPECT_THAT(problemOf(clusterJson({{"options", {"--x\n#SBATCH"}}})), HasSubstr("must be options"));
    EXPECT_THAT(problemOf(clusterJson({}, {{"host", "n1"}})),
                HasSubstr("not known before a job has the node"));
    EXPECT_THAT(problemOf(clusterJson({{"queue", "x"}})), HasSubstr("queue"));
    EXPECT_THAT(problemOf({{"name", "x"}, {"scheduler", "pbs"}, {"nodes", 1}}), HasSubstr("\"slurm\""));
}

TEST(Partitions, AreReadFromSinfosLines) {
    const auto partitions = parsePartitions(
        "partition gpu|default|30|96|gpu:v100:8(S:0-1)|2-00:00:00|up\n"
        "partition gpu|default|2|128|gpu:a100:8|2-00:00:00|up\npartition cpu||8|40|(null)|infinite|down\n"
        "partition broken|\n");
    ASSERT_EQ(partitions.size(), 2U);
    EXPECT_TRUE(partitions[0].isDefault);
    EXPECT_EQ(partitions[0].nodes, 32);
    EXPECT_FALSE(partitions[1].isUp);
    const Cluster gpu = clusterOfPartition(partitions[0], {});
    EXPECT_EQ(gpu.nodes.size(), 32U);
    EXPECT_EQ(gpu.slurm->gres, "gpu:8");
    EXPECT_EQ(gpu.nodes.front().devices, 8);
    EXPECT_EQ(clusterOfPartition(partitions[1], {}).nodes.front().devices, cpuProcesses);
}

}  // namespace
}  // namespace dlperf::cluster
