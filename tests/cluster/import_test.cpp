// SPDX-License-Identifier: Apache-2.0
// Node lists from the files that people have already.
#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/cluster/host_lists.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesOf(const Result<Cluster>& cluster) {
    std::vector<std::string> names;
    EXPECT_TRUE(cluster) << (cluster ? "" : describe(cluster.error()));
    for (const Node& node : cluster ? cluster->nodes : std::vector<Node>()) {
        names.push_back(node.name);
    }
    return names;
}

TEST(Hostfile, ReadsThoseOfMpirunHorovodrunAndDeepspeed) {
    const auto cluster = clusterFromHostfile(
        "# the lab\nnode1 slots=8 max_slots=16\n10.11.0.3:4\r\n\n  vs002\tslots=2   # small\nme@gpu-04\n",
        "hosts");
    EXPECT_THAT(namesOf(cluster), ElementsAre("node1", "10.11.0.3", "vs002", "gpu-04"));
    EXPECT_EQ(cluster->nodes[0].devices, 8);
    EXPECT_EQ(cluster->nodes[1].host, "10.11.0.3");
    EXPECT_EQ(cluster->nodes[1].devices, 4);
    EXPECT_EQ(cluster->nodes[2].devices, 2);
    EXPECT_EQ(cluster->nodes[3].user, "me");
    EXPECT_FALSE(cluster->nodes[3].devices);
}

TEST(Hostfile, SlotsOfAHostAreAdded) {
    const auto cluster = clusterFromHostfile("a slots=2\nb\na slots=3\nfe80::1\n", "hosts");
    EXPECT_THAT(namesOf(cluster), ElementsAre("a", "b", "fe80--1"));
    EXPECT_EQ(cluster->nodes[0].devices, 5);
    EXPECT_EQ(cluster->nodes[2].host, "fe80::1");
}

TEST(Hostfile, SeveralHostsMayStandInALine) {
    const auto cluster = clusterFromHostfile("a:2,b:2\nc d slots=4\n[fe80::1] slots=2\n", "hosts");
    EXPECT_THAT(namesOf(cluster), ElementsAre("a", "b", "c", "d", "fe80--1"));
    EXPECT_EQ(cluster->nodes[1].devices, 2);
    EXPECT_FALSE(cluster->nodes[2].devices);
    EXPECT_EQ(cluster->nodes[3].devices, 4);
    EXPECT_EQ(cluster->nodes[4].host, "fe80::1");
    EXPECT_EQ(cluster->nodes[4].devices, 2);
}

TEST(Hostfile, WhatIsNoneIsNamed) {
    for (const char* text : {"a\nb 8\n", "a\nb slots=many\n", "a\nb:0\n", "a\nb slots=99999\n", "a\n:4\n"}) {
        const auto cluster = clusterFromHostfile(text, "hosts");
        ASSERT_FALSE(cluster) << text;
        EXPECT_THAT(describe(cluster.error()), HasSubstr("line 2"));
    }
    EXPECT_FALSE(clusterFromHostfile("", "hosts"));
    EXPECT_FALSE(clusterFromHostfile("-oProxyCommand=evil", "hosts"));
}

TEST(Hostfile, WhatIsExportedIsReadBack) {
    Cluster cluster{"the \n lab", {}};
    for (const char* host : {"node1", "10.11.0.3", "fe80::1"}) {
        Node node;
        node.name = "n" + std::to_string(cluster.nodes.size());
        node.host = host;
        cluster.nodes.push_back(node);
    }
    cluster.nodes[0].devices = 8;
    cluster.nodes[1].user = "me";
    cluster.nodes[1].devices = 4;
    cluster.nodes[1].port = 2222;
    cluster.nodes[2].identityFile = "~/.ssh/id\nevil slots=4";
    Node here;
    here.name = "this";
    here.local = true;
    cluster.nodes.push_back(here);
    const std::string text = hostfileOf(cluster);
    EXPECT_THAT(text, HasSubstr("\nme@10.11.0.3 slots=4  # n1, port 2222\n"));
    EXPECT_THAT(text, HasSubstr("\nlocalhost  # this\n"));
    const auto read = clusterFromHostfile(text, "hosts");
    EXPECT_THAT(namesOf(read), ElementsAre("node1", "10.11.0.3", "fe80--1", "localhost"));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(read->nodes[i].host, cluster.nodes[i].host);
        EXPECT_EQ(read->nodes[i].user, cluster.nodes[i].user);
        EXPECT_EQ(read->nodes[i].devices, cluster.nodes[i].devices);
    }
}

class SshImport : public testing::Test {
protected:
    void put(const std::string& name, const std::string& text) const {
        const auto file = folder_.path() / name;
        std::filesystem::create_directories(file.parent_path());
        ASSERT_TRUE(writeFileAtomically(file, text));
    }
    [[nodiscard]] Result<Cluster> imported() const { return clusterFromSsh(folder_.path() / "config"); }

    TemporaryFolder folder_ = TemporaryFolder::make("ssh").value();
};

TEST_F(SshImport, TakesNamesAndNoPatterns) {
    put("config",
        "Host gpu-01 gpu-02 *.lab !bad\n  Port 2222\n  HostName 10.0.0.1\nhost=\"gpu-03\"\n# Host no\nMatch "
        "host x\nHost * \n"
        "HostName not-a-host\nHost gpu-01\n");
    const auto cluster = imported();
    EXPECT_THAT(namesOf(cluster), ElementsAre("gpu-01", "gpu-02", "gpu-03"));
    EXPECT_EQ(cluster->nodes[0].host, "gpu-01");  // ssh itself knows where that is
    EXPECT_FALSE(cluster->nodes[0].port);
}

TEST_F(SshImport, FollowsInclude) {
    put("config", "Include conf.d/*.conf missing\nHost last\n");
    put("conf.d/a.conf", "Host a\nInclude config\n");  // itself again
    put("conf.d/b.conf", "Include " + (folder_.path() / "far" / "c").string() + "\nHost b\n");
    put("far/c", "Host c\n");
    EXPECT_THAT(namesOf(imported()), ElementsAre("a", "last", "c", "b"));
}

TEST_F(SshImport, WithoutHostsSaysSo) {
    EXPECT_FALSE(imported());
    put("config", "Host *\n  User me\n");
    ASSERT_FALSE(imported());
    EXPECT_THAT(describe(imported().error()), HasSubstr("names no host"));
}

TEST_F(SshImport, NamesThatAreNoneAreMadePlain) {
    put("config", "Host gpu/1 gpu-1 _x " + std::string(80, 'y') + "\n");
    const auto cluster = imported();
    EXPECT_THAT(namesOf(cluster), ElementsAre("gpu-1", "gpu-1-2", testing::_, std::string(56, 'y')));
    EXPECT_EQ(cluster->nodes[0].host, "gpu/1");
}

}  // namespace
}  // namespace dlperf::cluster
