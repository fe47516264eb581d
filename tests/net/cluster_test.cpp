// SPDX-License-Identifier: Apache-2.0
// Whole runs on several machines: the bundled worker trains over the network between them.
#include <gmock/gmock.h>

#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

using run::Ended;

class Cluster : public NetTest, public testing::WithParamInterface<int> {};

TEST_P(Cluster, TrainsOverTheNetworkAndBringsEveryLogHome) {
    NetLab net(GetParam());
    const std::string topology = std::to_string(GetParam()) + "n1g";
    const auto plan = net.lab.plan({{"image_size", "32"}, {"classes", "10"}}, {{"recipes", {"dlperf-worker"}},
                                                                               {"topologies", {topology}},
                                                                               {"batch_sizes", {2}},
                                                                               {"warmup", 1},
                                                                               {"train", 4}});
    const Ended ended = net.lab.dlperf(net.lab.runArguments(plan, {"--cluster", net.cluster().string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = net.lab.runs();
    ASSERT_EQ(runs.size(), 1U) << ended.errors;
    EXPECT_EQ(runs[0].outcome, Outcome::Ok) << runs[0].reason;
    EXPECT_GT(runs[0].throughput.value_or(0), 0);
    EXPECT_EQ(run::iterationsOf(net.lab.log(runs[0])), run::oneTo(4));
    EXPECT_THAT(net.lab.log(runs[0]), testing::HasSubstr("world_size: " + std::to_string(GetParam())));
    expectLogsAgree(net, runs[0], GetParam());
}

INSTANTIATE_TEST_SUITE_P(Nodes, Cluster, testing::Values(2, 4));

}  // namespace
}  // namespace dlperf::test
