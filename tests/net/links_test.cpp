// SPDX-License-Identifier: Apache-2.0
// `dlperf bench links` on several machines: what it says of wires whose speed is known.
#include "core/cluster/link_baseline.h"

#include <algorithm>

#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr double slowWire = 0.0125;  // GB/s: 100 Mbit/s

class Links : public NetTest {};

std::vector<std::string> benchWords(const NetLab& net) {
    return {"bench", "links", net.cluster({{"devices", 1}}).string(), "--workspace",
            net.lab.workspace.root().string()};
}

std::vector<std::string> slowSentences(const cluster::LinkBaseline& baseline) {
    std::vector<std::string> sentences;
    for (const cluster::SlowLink& slow : slowLinks(baseline)) {
        sentences.push_back(slow.sentence);
    }
    return sentences;
}

TEST_F(Links, ASlowMachineIsNamedWithItsFigure) {
    NetLab net(3);
    net.layToPeers(2, {.bytesPerSecond = 12'500'000});
    const auto ended = net.lab.dlperf(benchWords(net));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto baseline = cluster::readLinkBaseline(net.lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    ASSERT_EQ(baseline->pairs.size(), 3U);
    for (const cluster::PairBaseline& pair : baseline->pairs) {
        const double bandwidth = cluster::bandwidthOf(pair.series).value();
        if (pair.to == "c") {
            EXPECT_NEAR(bandwidth, slowWire, slowWire / 4) << pair.from;
        } else {
            EXPECT_GT(bandwidth, 4 * slowWire);
        }
    }
    EXPECT_NEAR(cluster::bandwidthOf(baseline->all.value()).value(), slowWire, slowWire / 4)
        << "a ring is as fast as its slowest wire";
    ASSERT_EQ(baseline->ring.size(), 3U);
    EXPECT_GT(cluster::bandwidthOf(baseline->ring[0]), 2 * slowWire) << "a to b, though c is in the ring";
    EXPECT_NEAR(std::min(cluster::bandwidthOf(baseline->ring[1]), cluster::bandwidthOf(baseline->ring[2])),
                slowWire, slowWire / 4)
        << "to c and from it";
    EXPECT_THAT(ended.output, HasSubstr("b to c, while all nodes exchange: 0.0"));
    for (const char* pair : {"a and c: 0.01", "b and c: 0.01"}) {
        EXPECT_THAT(slowSentences(*baseline), Contains(HasSubstr(pair)));
        EXPECT_THAT(ended.output, HasSubstr(pair));
    }
    EXPECT_THAT(slowSentences(*baseline), Not(Contains(AllOf(HasSubstr("a and b"), HasSubstr("GB/s")))));
    EXPECT_THAT(net.lab.runs(), testing::IsEmpty()) << "its runs are no results";
    EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
}

// Two switches with one cable between them, each of its ways for itself: enough for one pair, not for three.
TEST_F(Links, AWayThatOthersShareIsNamed) {
    NetLab net(3);
    for (int node = 0; node < 3; ++node) {
        const int next = (node + 1) % 3;
        net.layOneWay(node, next, {.bytesPerSecond = 12'500'000, .cable = 1});
        net.layOneWay(next, node, {.bytesPerSecond = 12'500'000, .cable = 2});
    }
    const auto ended = net.lab.dlperf(benchWords(net));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto baseline = cluster::readLinkBaseline(net.lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    for (const cluster::PairBaseline& pair : baseline->pairs) {
        EXPECT_NEAR(cluster::bandwidthOf(pair.series).value(), slowWire, slowWire / 4)
            << pair.from << pair.to;
    }
    for (const auto& way : baseline->ring) {
        EXPECT_NEAR(cluster::bandwidthOf(way), slowWire / 3, slowWire / 12) << way.from;
    }
    const auto slow = slowLinks(*baseline);
    EXPECT_EQ(std::ranges::count(slow, true, &cluster::SlowLink::isShared), 3);
    EXPECT_THAT(ended.output, HasSubstr("c to a: 0.0"));
    EXPECT_THAT(ended.output, HasSubstr("others share its way"));
}

// A trainer on processors whose log tells of no rank: at 400 Mbit/s its 102 MB of gradients take two seconds,
// many times what so small images are computed in.
TEST_F(Links, TellWhatALogDoesNot) {
    NetLab net(2);
    net.layToPeers(1, {.bytesPerSecond = 50'000'000});
    const run::Ended trained = net.lab.wait(startRun(net, {.plan = {{"recipes", {"silent-worker"}},
                                                                    {"topologies", {"1n1g", "2n1g"}},
                                                                    {"batch_sizes", {1}},
                                                                    {"warmup", 1},
                                                                    {"train", 3}}}));
    ASSERT_EQ(trained.exitCode, 0) << trained.errors;
    const auto partsNow = [&] {
        const run::Ended said =
            net.lab.dlperf({"explain", "--workspace", net.lab.workspace.root().string(), "--json", "-"});
        EXPECT_EQ(said.exitCode, 0) << said.errors;
        const Json losses = Json::parse(said.output).at("series").at(0).at("losses");
        return losses.at(0).at("parts");
    };
    const auto isCommunication = [](const Json& part) { return part["cause"] == "communication"; };
    EXPECT_TRUE(std::ranges::none_of(partsNow(), isCommunication)) << partsNow().dump(1);
    ASSERT_EQ(net.lab.dlperf(benchWords(net)).exitCode, 0);
    const Json parts = partsNow();
    const auto part = std::ranges::find_if(parts, isCommunication);
    ASSERT_NE(part, parts.end()) << parts.dump(1);
    EXPECT_GT((*part)["share"].get<double>(), 0.1) << parts.dump(1);
    EXPECT_THAT((*part)["words"].get<std::string>(), HasSubstr("Exchanging 102 MB of gradients takes"));
    EXPECT_THAT((*part)["evidence"].get<std::string>(), HasSubstr("by way of the hosts"));
}

}  // namespace
}  // namespace dlperf::test
