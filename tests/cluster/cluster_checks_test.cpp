// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/checks.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace dlperf::cluster {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

NodeAnswer answer(const std::string& name) {
    NodeAnswer answer;
    answer.node.name = name;
    answer.node.host = name + ".lab";
    answer.facts = NodeFacts{};
    return answer;
}

NodeAnswer withGpus(const std::string& name) {
    NodeAnswer one = answer(name);
    one.facts->gpus.resize(8);
    for (GpuFacts& gpu : one.facts->gpus) {
        gpu.name = "Tesla V100-SXM2-16GB";
    }
    one.facts->driver = "440.33.01";
    one.facts->cuda = "10.2";
    one.facts->nccl = "2.7.3";
    one.facts->cudnn = "7.6.5";
    one.facts->pythonPackages = {"horovod 0.19.1", "torch 1.5.0"};
    one.facts->infiniband = {"mlx5_0: 4: ACTIVE, 100 Gb/sec (4X EDR)"};
    one.facts->clock = Clock{0.2, 0.01};
    one.node.dataDir = "/data";
    one.facts->dataFiles = 1'281'167;
    one.facts->dataEntries = 1000;
    return one;
}

std::vector<NodeAnswer> four() {
    return {withGpus("a"), withGpus("b"), withGpus("c"), withGpus("d")};
}

Check find(const std::vector<NodeAnswer>& nodes, const std::string& title) {
    const auto checks = checkCluster(nodes);
    const auto found = std::ranges::find(checks, title, &Check::title);
    EXPECT_NE(found, checks.end()) << title;
    return found == checks.end() ? Check{} : *found;
}

TEST(ClusterChecks, NodesThatAreAlikePassAll) {
    const auto checks = checkCluster(four());
    EXPECT_EQ(checks.size(), 10U);
    for (const Check& check : checks) {
        EXPECT_EQ(check.verdict, Verdict::Passed) << check.title << ": " << check.summary;
    }
    EXPECT_EQ(find(four(), "NCCL").summary, "2.7.3 on all 4");
    EXPECT_EQ(find(four(), "Data set").summary, "1281167 files in /data on all 4");
}

TEST(ClusterChecks, OneNodeHasNothingToDifferFrom) {
    NodeAnswer alone = withGpus("a");
    alone.facts->clock.reset();
    EXPECT_TRUE(checkCluster({alone}).empty());
    EXPECT_TRUE(checkCluster({}).empty());
}

// Who differs is named, with something to do.
TEST(ClusterChecks, OneMachineListedTwiceIsNoCluster) {
    std::vector<NodeAnswer> nodes{answer("a"), answer("alias"), answer("b")};
    nodes[0].facts->machine = nodes[1].facts->machine = "boot-1 net:[1]";
    nodes[2].facts->machine = "boot-2 net:[1]";
    const Check twice = find(nodes, "Machines");
    EXPECT_EQ(twice.verdict, Verdict::Failed);
    EXPECT_TRUE(twice.stopsRun);
    EXPECT_EQ(twice.summary, "a, alias are one machine");
    nodes[0].node.local = nodes[1].node.local = nodes[2].node.local = true;
    EXPECT_EQ(find(nodes, "Machines").verdict, Verdict::Warning) << "their user wrote it so";
    nodes[1].facts->machine = "boot-1 net:[2]";  // a network of its own: made to be a node
    EXPECT_TRUE(std::ranges::none_of(checkCluster(nodes),
                                     [](const Check& check) { return check.title == "Machines"; }));
}

TEST(ClusterChecks, WhatDiffersNamesTheNode) {
    auto nodes = four();
    NodeFacts& facts = *nodes[2].facts;
    facts.driver = "590.44";
    facts.cuda = "";
    facts.nccl = "2.10.3";
    facts.cudnn = "9.1";
    facts.pythonPackages = {"torch 2.1.0"};
    facts.gpus.pop_back();
    facts.infiniband.clear();
    facts.dataFiles = 7;
    facts.clock = Clock{86'400, 0.02};
    for (const Check& check : checkCluster(nodes)) {
        EXPECT_EQ(check.verdict, Verdict::Warning) << check.title;
        EXPECT_FALSE(check.stopsRun);
        EXPECT_THAT(check.summary, HasSubstr("c")) << check.title;
        EXPECT_FALSE(check.explanation.empty()) << check.title;
        EXPECT_FALSE(check.remedy.empty()) << check.title;
        EXPECT_FALSE(check.command.empty()) << check.title;
    }
    EXPECT_EQ(find(nodes, "NCCL").summary, "2.7.3 on most, 2.10.3 on c");
    EXPECT_EQ(find(nodes, "CUDA").summary, "10.2 on most, none on c");
    EXPECT_EQ(find(nodes, "horovod").summary, "0.19.1 on most, none on c");
    EXPECT_EQ(find(nodes, "Clocks").summary, "c is 86400 s (1.0 days) ahead");
    EXPECT_EQ(find(nodes, "InfiniBand").summary, "not on c");
    EXPECT_THAT(find(nodes, "Devices").evidence, HasSubstr("c: 7 x Tesla"));
    EXPECT_EQ(find(nodes, "Data set").summary, "1281167 files on most, 7 files on c");
}

TEST(ClusterChecks, AClockIsOnlyWrongBeyondWhatAskingLeavesInDoubt) {
    auto nodes = four();
    nodes[1].facts->clock = Clock{-5, 10};
    EXPECT_EQ(find(nodes, "Clocks").verdict, Verdict::Passed);
    nodes[1].facts->clock = Clock{-5, 0.1};
    EXPECT_EQ(find(nodes, "Clocks").summary, "b is 5.0 s behind");
}

TEST(ClusterChecks, DataSetsTooLargeToCountAreComparedByTheirEntries) {
    auto nodes = four();
    for (NodeAnswer& node : nodes) {
        node.facts->dataFiles.reset();
    }
    EXPECT_THAT(find(nodes, "Data set").summary, AllOf(HasSubstr("1000 entries"), HasSubstr("10 s")));
    nodes[3].facts->dataEntries = 999;
    EXPECT_EQ(find(nodes, "Data set").summary, "1000 entries on most, 999 entries on d");
    nodes[3].node.dataDir = "/mnt/data";
    EXPECT_EQ(find(nodes, "Data set").summary, "/data on most, /mnt/data on d");
}

TEST(ClusterChecks, NodesThatWereNotReachedOrHaveNoGpusDoNotDisturb) {
    auto nodes = four();
    nodes[0].facts.reset();
    nodes[1].facts->gpus.clear();
    nodes[1].facts->driver.clear();
    EXPECT_EQ(find(nodes, "Driver").summary, "440.33.01 on all 2");
    EXPECT_EQ(find(nodes, "Devices").verdict, Verdict::Warning);
}

TEST(ClusterChecks, ManyNodesAreCounted) {
    std::vector<NodeAnswer> nodes;
    for (int i = 0; i < 40; ++i) {
        nodes.push_back(withGpus("n" + std::to_string(i)));
        nodes.back().facts->nccl = i < 25 ? "2.7.3" : "2.8.4";
    }
    EXPECT_EQ(find(nodes, "NCCL").summary, "2.7.3 on most, 2.8.4 on n[25-39]");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].node.name = std::string(6 + i / 26, static_cast<char>('a' + i % 26));
    }
    EXPECT_THAT(find(nodes, "NCCL").summary, HasSubstr("and 7 more"));
}

TEST(Clock, IsReadFromTheMiddleOfTheAsking) {
    const auto clock = clockOf("1700000012.500000000\n", 1'700'000'010, 1'700'000'011);
    ASSERT_TRUE(clock);
    EXPECT_DOUBLE_EQ(clock->ahead, 2);
    EXPECT_DOUBLE_EQ(clock->doubt, 0.5);
    EXPECT_DOUBLE_EQ(clockOf("1700000010.%N", 1'700'000'010, 1'700'000'010)->doubt, 1);
    EXPECT_FALSE(clockOf("date: invalid option", 0, 1));
    EXPECT_FALSE(clockOf("", 0, 1));
    EXPECT_FALSE(clockOf("inf", 0, 1));
}

}  // namespace
}  // namespace dlperf::cluster
