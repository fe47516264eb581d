// SPDX-License-Identifier: Apache-2.0
// `dlperf bench links` on nodes of this machine: what is measured, what is missing, what it leaves behind.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/cluster/link_baseline.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class BenchLinks : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
            GTEST_SKIP() << "this build has no worker";
        }
    }
    Ended bench(const std::vector<std::string>& more) {
        std::vector<std::string> words{"bench", "links", "--workspace", lab.workspace.root().string()};
        words.insert(words.end(), more.begin(), more.end());
        return lab.dlperf(words);
    }
    // Nodes of one device each, the last of which cannot run a trainer.
    std::filesystem::path clusterWithABrokenNode(int nodes) {
        const auto file = lab.cluster(nodes, {{"devices", 1}});
        Json json = Json::parse(slurp(file));
        json["nodes"].back()["setup"] = "exit 3";
        std::ofstream(file) << json.dump();
        return file;
    }

    Lab lab;
};

TEST_F(BenchLinks, OneNodeIsMeasuredWithin) {
    const Ended ended = bench({lab.cluster(1).string(), "--json", "-"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("[1/1] the 2 devices of a: ok, "));
    EXPECT_EQ(ended.output, slurp(lab.workspace.linkBaseline())) << "nothing else is printed";
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_THAT(baseline->pairs, IsEmpty());
    EXPECT_FALSE(baseline->all);
    ASSERT_EQ(baseline->within.size(), 1U);
    EXPECT_EQ(baseline->within[0].series.ranks, 2);
    EXPECT_EQ(baseline->within[0].series.points.size(), 9U);
    EXPECT_EQ(baseline->by, "gloo, by way of the hosts");
    EXPECT_THAT(lab.runs(), IsEmpty()) << "its runs are no results";
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

// Two nodes are a pair, and not measured once more as all.
TEST_F(BenchLinks, WhatFailsIsMissingWithItsReason) {
    const Ended ended = bench({clusterWithABrokenNode(3).string()});
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    EXPECT_THAT(ended.output,
                AllOf(HasSubstr("GB/s between two nodes"), HasSubstr("missing"),
                      HasSubstr("All 3 nodes together: missing"), Not(HasSubstr("throughput"))));
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("dlperf bench: between a and c: missing, node c: "),
                                    HasSubstr("dlperf bench: all nodes together: missing, node c: "),
                                    Not(HasSubstr("between a and b: missing"))));
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_FALSE(baseline->pairs.at(0).series.points.empty());
    EXPECT_TRUE(baseline->pairs.at(1).series.points.empty());
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

TEST_F(BenchLinks, NothingMeasuredLeavesTheLastBaselineAlone) {
    std::ofstream(lab.workspace.linkBaseline()) << "the last one";
    const Ended ended = bench({clusterWithABrokenNode(2).string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("no link could be measured: node b: "));
    EXPECT_EQ(slurp(lab.workspace.linkBaseline()), "the last one");
    const Ended alone = bench({lab.cluster(1, {{"devices", 1}}).string()});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_THAT(alone.errors, HasSubstr("there is no link to measure"));
}

TEST_F(BenchLinks, CancelledItKeepsNothing) {
    const pid_t bench =
        lab.start({"bench", "links", lab.cluster(2).string(), "--workspace", lab.workspace.root().string()});
    ASSERT_TRUE(eventually([&] { return !lab.trainers().empty(); }));
    ::kill(bench, SIGINT);
    const Ended ended = lab.wait(bench);
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("was cancelled: nothing is kept"));
    EXPECT_FALSE(std::filesystem::exists(lab.workspace.linkBaseline()));
    EXPECT_THAT(lab.trainers(), IsEmpty());
}

}  // namespace
}  // namespace dlperf::run
