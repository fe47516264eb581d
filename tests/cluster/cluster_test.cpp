// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/cluster.h"

#include <gmock/gmock.h>

namespace dlperf::cluster {
namespace {

using testing::HasSubstr;

Result<Cluster> parse(const std::string& nodes) {
    const auto json = parseJson(R"({"name": "lab", "nodes": [)" + nodes + "]}", "cluster.json");
    return clusterFromJson(json.value(), "cluster.json");
}

TEST(Cluster, NeedsOnlyNameAndHostOrLocal) {
    const auto cluster = parse(R"({"name": "a", "host": "10.0.0.1"}, {"name": "b", "local": true})");
    ASSERT_TRUE(cluster) << describe(cluster.error());
    EXPECT_EQ(cluster->nodes[0].host, "10.0.0.1");
    EXPECT_EQ(cluster->nodes[0].workDir, "~/dlperf");
    EXPECT_FALSE(cluster->nodes[0].devices);
    EXPECT_TRUE(cluster->nodes[1].local);
}

TEST(Cluster, AllFieldsSurviveBeingWrittenAndRead) {
    const std::string text = R"({"name": "node1", "host": "10.11.0.2", "port": 10001, "user": "root",
        "identity_file": "~/.ssh/id_ed25519", "devices": 2, "device_list": "4,5,6", "address": "10.11.0.2",
        "interface": "enp5s0", "rdma": "mlx5_0", "work_dir": "/w o r k", "data_dir": "/data",
        "setup": "source ~/x\nconda activate 'p'", "container": ["docker", "exec", "-i", "pt"],
        "container_work_dir": "/workspace/dlperf", "env": {"NCCL_DEBUG": "WARN", "DLPERF_OPT_THREADS": "2"},
        "secret_env": ["HF_TOKEN"]})";
    const auto cluster = parse(text);
    ASSERT_TRUE(cluster) << describe(cluster.error());
    const auto again = clusterFromJson(toJson(*cluster), "again");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), toJson(*cluster));
    const Node& node = again->nodes[0];
    EXPECT_EQ(node.setup, "source ~/x\nconda activate 'p'");
    EXPECT_EQ(node.env.at("NCCL_DEBUG"), "WARN");
    EXPECT_EQ(node.container.size(), 4U);
    EXPECT_EQ(node.port, 10001);
}

TEST(Cluster, ANodeMayNameAnImage) {
    const auto cluster = parse(R"({"name": "a", "local": true, "image": "docker.io/pytorch/pytorch:2.1.0",
        "runtime": "podman", "image_options": ["--shm-size=8g", "--label=it's"]})");
    ASSERT_TRUE(cluster) << describe(cluster.error());
    const auto again = clusterFromJson(toJson(*cluster), "again");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_TRUE(again->nodes[0].inContainer());
    EXPECT_EQ(again->nodes[0].imageOptions, cluster->nodes[0].imageOptions);
    for (const char* bad :
         {R"("image": "a b")", R"("image": "-v")", R"("image": "a", "runtime": "vmware")",
          R"("runtime": "podman")", R"("image": "a", "container": ["docker", "exec", "pt"])"}) {
        EXPECT_FALSE(parse(std::string(R"({"name": "a", "local": true, )") + bad + "}")) << bad;
    }
}

TEST(Cluster, DevicesAreCountedInTheirList) {
    EXPECT_EQ(parse(R"({"name": "a", "local": true, "device_list": "0,2,5"})")->nodes[0].devices, 3);
    EXPECT_FALSE(parse(R"({"name": "a", "local": true, "device_list": "0,2", "devices": 3})"));
    EXPECT_FALSE(parse(R"({"name": "a", "local": true, "device_list": "0,,2"})"));
}

struct Bad {
    const char* node;
    const char* says;
};

class BadNode : public testing::TestWithParam<Bad> {};

TEST_P(BadNode, IsRefusedWithAWordAboutIt) {
    const auto cluster = parse(GetParam().node);
    ASSERT_FALSE(cluster) << GetParam().node;
    EXPECT_EQ(cluster.error().kind, ErrorKind::Input);
    EXPECT_THAT(describe(cluster.error()), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Cluster, BadNode,
    testing::Values(Bad{R"({"host": "x"})", "name"}, Bad{R"({"name": "a"})", "host"},
                    Bad{R"({"name": "a", "host": "x", "local": true})", "either"},
                    Bad{R"({"name": "../a", "local": true})", "name"},
                    Bad{R"({"name": "a b", "local": true})", "name"},
                    Bad{R"({"name": "a'; rm -rf /", "local": true})", "name"},
                    Bad{R"({"name": "a\nb", "local": true})", "name"},
                    Bad{R"({"name": "a", "host": "-oProxyCommand=evil"})", "host"},
                    Bad{R"({"name": "a", "host": "x y"})", "host"},
                    Bad{R"({"name": "a", "host": "x", "user": "-l"})", "user"},
                    Bad{R"({"name": "a", "host": "x", "port": 70000})", "port"},
                    Bad{R"({"name": "a", "local": true, "devices": 0})", "devices"},
                    Bad{R"({"name": "a", "local": true, "work_dir": "relative"})", "work_dir"},
                    Bad{R"({"name": "a", "local": true, "wrk_dir": "/x"})", "wrk_dir"},
                    Bad{R"({"name": "a", "local": true, "env": {"A-B": "x"}})", "env"},
                    Bad{R"({"name": "a", "local": true, "env": {"A": 1}})", "env"},
                    Bad{R"({"name": "a", "local": true, "env": {"A": "x\u0000y"}})", "NUL"},
                    Bad{R"({"name": "a", "local": true, "env": {"DLPERF_RUN_ID": "x"}})", "DLPERF_RUN_ID"},
                    Bad{R"({"name": "a", "local": true, "secret_env": ["a;b"]})", "secret_env"},
                    Bad{R"({"name": "a", "local": true}, {"name": "a", "host": "x"})", "two nodes"},
                    Bad{R"(7)", "object"}));

TEST(Cluster, WithoutNodesIsNone) {
    EXPECT_FALSE(parse(""));
    EXPECT_FALSE(clusterFromJson(Json{{"name", "x"}}, "c"));
    EXPECT_FALSE(readCluster("/nowhere/cluster.json"));
}

TEST(Cluster, ThisMachineIsALocalNodeThatNothingIsAskedOf) {
    const Cluster here = thisMachine();
    ASSERT_EQ(here.nodes.size(), 1U);
    EXPECT_TRUE(here.nodes[0].local);
    EXPECT_FALSE(here.nodes[0].devices);
}

}  // namespace
}  // namespace dlperf::cluster
