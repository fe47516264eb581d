// SPDX-License-Identifier: Apache-2.0
// What breaks between the runner and its nodes, while it happens to real connections.
#include <csignal>

#include <chrono>
#include <thread>

#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class NetFault : public NetTest {};

TEST_F(NetFault, TrainingGoesOnWhilePort22IsCut) {
    NetLab net(2);
    const pid_t runner = startRun(
        net,
        {.options = {{"seconds", "0.35"}}, .plan = {{"train", 120}}, .arguments = {"--lost-after", "25"}});
    ASSERT_TRUE(waitForIteration(net, 3));
    for (const int node : {0, 1}) {
        net.closeSsh(node);
    }
    std::this_thread::sleep_for(30s);
    const run::RunStatus run = net.lab.runs().at(0);
    for (const int node : {0, 1}) {
        EXPECT_GT(run::iterationsOf(run::slurp(net.remoteLog(run, node))).size(),
                  run::iterationsOf(net.lab.log(run, node)).size() + 20)
            << "node " << node << " trained, and nobody here saw it";
        net.openSsh(node);
    }
    expectOk(net, net.lab.wait(runner), 120);
}

TEST_F(NetFault, AKilledSshdThatComesBackIsFoundAgain) {
    NetLab net(2);
    const pid_t runner = startRun(net, {.options = {{"seconds", "0.2"}}, .plan = {{"train", 50}}});
    ASSERT_TRUE(waitForIteration(net, 3));
    for (const int node : {0, 1}) {
        net.machine(node).killSshd();
    }
    std::this_thread::sleep_for(3s);
    for (const int node : {0, 1}) {
        net.machine(node).startSshd();
    }
    expectOk(net, net.lab.wait(runner), 50);
}

// Its trainer's peers do not miss it, as those that do not talk would not.
TEST_F(NetFault, AMachineThatIsDeadForGoodEndsTheRunOnTheOthers) {
    constexpr int dead = 0;
    NetLab net(3);
    const pid_t runner =
        startRun(net, {.options = {{"behaviour", "endless"}}, .arguments = {"--lost-after", "4"}});
    ASSERT_TRUE(waitForIteration(net, 3));
    net.killForGood(dead);
    const run::Ended ended = net.lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    const run::RunStatus run = net.lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, HasSubstr("node " + net.machine(dead).name() + " was not reached for 4 s"));
    EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
    for (int node = 0; node < net.nodes(); ++node) {
        const std::string there = run::slurp(net.remoteLog(run, node));
        const std::string here = net.lab.log(run, node);
        EXPECT_EQ(here, there.substr(0, here.size())) << "node " << node;
        EXPECT_TRUE(node == dead || here.size() == there.size()) << "node " << node;
        EXPECT_FALSE(here.empty()) << "node " << node;
    }
}

TEST_F(NetFault, AKilledRunnerIsTakenUpAgain) {
    NetLab net(2);
    const pid_t runner = startRun(net, {.options = {{"seconds", "0.1"}}, .plan = {{"train", 60}}});
    ASSERT_TRUE(waitForIteration(net, 3));
    ::kill(runner, SIGKILL);
    (void)net.lab.wait(runner);
    EXPECT_GE(net.lab.trainers().size(), 2U) << "the trainers go on";
    expectOk(net, net.lab.dlperf({"resume", "--workspace", net.lab.workspace.root().string()}), 60);
}

// A slow way there gives the cancel time to come in the middle.
TEST_F(NetFault, ACancelDuringTheStartLeavesNothing) {
    for (const auto after : {300ms, 2500ms, 5000ms}) {
        NetLab net(2);
        for (const int node : {0, 1}) {
            net.layToDesk(node, {.delay = 100ms});
        }
        const pid_t runner = startRun(net, {.options = {{"behaviour", "sessions"}}});
        ASSERT_TRUE(run::eventually([&] { return !net.lab.runs().empty(); }));
        std::this_thread::sleep_for(after);
        EXPECT_EQ(cancel(net).exitCode, 0);
        const run::Ended ended = net.lab.wait(runner);
        EXPECT_EQ(ended.exitCode, 1) << ended.errors;
        const Outcome outcome = net.lab.runs().at(0).outcome;
        EXPECT_TRUE(outcome == Outcome::Cancelled || outcome == Outcome::NotRun) << ended.errors;
        EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
        for (const int node : {0, 1}) {
            const Machine& machine = net.machine(node);
            EXPECT_FALSE(std::filesystem::exists(machine.home() / "dlperf/locks" / machine.name()));
        }
    }
}

struct BadLine {
    const char* name;
    Line there;
    Line back;
};

class OverABadLine : public NetTest, public testing::WithParamInterface<BadLine> {};

TEST_P(OverABadLine, ARunIsStartedFollowedAndBroughtHome) {
    NetLab net(2);
    for (const int node : {0, 1}) {
        net.layFromDesk(node, GetParam().there);
        net.layBack(node, GetParam().back);
    }
    // Among the lines are 300 KB of bytes.
    expectOk(net, net.lab.wait(startRun(net, {.options = {{"behaviour", "binary"}}})), 20);
}

INSTANTIATE_TEST_SUITE_P(
    Net, OverABadLine,
    testing::Values(BadLine{"TwentyPercentLoss", {.loss = 0.2}, {.loss = 0.2}},
                    BadLine{"TwoHundredMsDelay", {.delay = 200ms}, {}},
                    BadLine{"OneMegabit", {.bytesPerSecond = 125'000}, {.bytesPerSecond = 125'000}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace dlperf::test
