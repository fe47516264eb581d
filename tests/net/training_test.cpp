// SPDX-License-Identifier: Apache-2.0
// Whole runs on several machines: the bundled worker trains over the network between them.
#include <chrono>
#include <thread>

#include "core/report/recorded_environment.h"
#include "core/store/run_record.h"
#include "core/tuning/experiments.h"
#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

using namespace std::chrono_literals;

// dlperf-worker as small as it gets. commTimeout: seconds that it waits for another process.
RunWish training(int iterations, const std::string& commTimeout = "120") {
    return {
        .options = {{"image_size", "32"}, {"classes", "10"}, {"comm_timeout", commTimeout}},
        .plan = {{"recipes", {"dlperf-worker"}}, {"batch_sizes", {1}}, {"warmup", 1}, {"train", iterations}}};
}

class Training : public NetTest {};
class TrainingOn : public NetTest, public testing::WithParamInterface<int> {};

TEST_P(TrainingOn, SeveralMachinesGivesAFigureAndEveryLog) {
    NetLab net(GetParam());
    expectOk(net, net.lab.wait(startRun(net, training(4))), 4);
    EXPECT_THAT(net.lab.log(net.lab.runs().at(0)),
                testing::HasSubstr("world_size: " + std::to_string(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Net, TrainingOn, testing::Values(2, 4));

TEST_F(Training, GoesOnAfterTheDataLinkWasCut) {
    NetLab net(2);
    const pid_t runner = startRun(net, training(12));
    ASSERT_TRUE(waitForIteration(net, 2));
    net.layToPeers(1, {.cut = true});
    std::this_thread::sleep_for(10s);
    EXPECT_LT(run::iterationsOf(net.lab.log(net.lab.runs().at(0))).size(), 12U) << "it was cut while it ran";
    net.layToPeers(1, {});
    expectOk(net, net.lab.wait(runner), 12);
}

TEST_F(Training, TakesTheInterfaceThatThePlanNames) {
    NetLab net(2);
    net.machine(0).wireTo(net.machine(1));
    net.layToPeers(1, {.bytesPerSecond = 400'000'000 / 8});
    RunWish wish = training(6);
    wish.plan["env"] = {{"DLPERF_INTERFACE", {"eth0", "eth1"}}};
    const run::Ended ended = net.lab.wait(startRun(net, wish));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = net.lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_GT(runs[1].throughput.value_or(0), 2 * runs[0].throughput.value_or(0)) << "eth1 is not slowed";
    const auto record = store::readRunRecord(runs[0].path);
    ASSERT_TRUE(record) << describe(record.error());
    const auto facts = record->facts["nodes"][1]["facts"].get<std::vector<std::string>>();
    EXPECT_THAT(
        facts,
        testing::AllOf(testing::Contains(testing::MatchesRegex("interface=eth0 -?[0-9]+ used [0-9.]+/24")),
                       testing::Contains(testing::MatchesRegex("interface=eth1 -?[0-9]+ 10.78.0.2/24"))));
}

// Up, with a cable, and in a network of its own on each machine: as behind another VLAN.
TEST_F(Training, DoesNotBeginOverAnInterfaceThatLeadsNowhere) {
    NetLab net(2);
    net.machine(0).wireTo(net.machine(1));
    ASSERT_EQ(net.machine(1).run("ip addr flush dev eth1 && ip addr add 10.79.0.2/24 dev eth1"), 0);
    RunWish wish = training(3);
    wish.plan["env"] = {{"DLPERF_INTERFACE", {"eth0", "eth1"}}};
    const run::Ended refused = net.lab.wait(startRun(net, wish));
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors, testing::HasSubstr("way over eth1: does not lead from a to b (10.79.0.2)"));
    EXPECT_THAT(net.lab.runs(), testing::IsEmpty());
    wish.plan["env"] = {{"DLPERF_INTERFACE", "eth9"}};
    EXPECT_THAT(net.lab.wait(startRun(net, wish)).errors,
                testing::HasSubstr("is not up with an address on a, b: Device \"eth9\" does not exist."));
    wish.plan["env"] = {{"DLPERF_INTERFACE", "eth0"}};
    const run::Ended ended = net.lab.wait(startRun(net, wish));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto record = store::readRunRecord(net.lab.runs().at(0).path);
    ASSERT_TRUE(record) << describe(record.error());
    const auto interfaces = tuning::interfacesOf(report::nodeFacts(record->facts));
    ASSERT_EQ(interfaces.size(), 1U) << "eth1 is not to be tried";
    EXPECT_EQ(interfaces[0].name, "eth0");
    EXPECT_TRUE(interfaces[0].isOneNetwork);
}

TEST_F(Training, EndsEverywhereWhenTheDataLinkStaysCut) {
    NetLab net(2);
    const pid_t runner = startRun(net, training(10'000, "5"));
    ASSERT_TRUE(waitForIteration(net, 2));
    net.layToPeers(1, {.cut = true});
    expectNotOk(net, net.lab.wait(runner), Outcome::Failed, "the trainer ended with exit code");
}

TEST_F(Training, EndsEverywhereWhenOneWayIsCut) {
    NetLab net(2);
    const pid_t runner = startRun(net, training(10'000, "5"));
    ASSERT_TRUE(waitForIteration(net, 2));
    net.layOneWay(0, 1, {.cut = true});
    expectNotOk(net, net.lab.wait(runner), Outcome::Failed, "the trainer ended with exit code");
}

}  // namespace
}  // namespace dlperf::test
