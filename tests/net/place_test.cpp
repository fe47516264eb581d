// SPDX-License-Identifier: Apache-2.0
// Nodes as they come: a wrong clock, a container, a home for all of them, a full disk, trainers that hide.
#include <algorithm>
#include <chrono>

#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

namespace fs = std::filesystem;

class Place : public NetTest {};

// A container with numbers of processes of its own, and /root/enter, a command prefix that works as "docker
// exec" does.
void startContainer(const Machine& machine) {
    ASSERT_EQ(machine.run("setsid unshare --pid --mount --fork --mount-proc sleep infinity </dev/null "
                          ">/dev/null 2>&1 & cd /root && printf '#!/bin/sh\nexec nsenter -t %s --mount "
                          "--pid=/proc/%s/ns/pid_for_children -- \"$@\"\n' $! $! >enter && chmod +x enter"),
              0);
    ASSERT_TRUE(run::eventually(
        [&] { return machine.run("test \"$(/root/enter cat /proc/1/comm)\" = sleep 2>/dev/null") == 0; }));
}

TEST_F(Place, AClockThatIsADayOffDisturbsNothing) {
    const fs::path library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
    if (!fs::exists(library)) {
        GTEST_SKIP() << library << " is not there (package libfaketime)";
    }
    NetLab net(2);
    net.machine(1).killSshd();
    net.machine(1).startSshd("-o SetEnv='LD_PRELOAD=" + library.string() + " FAKETIME=+1d'");
    const pid_t runner = startRun(net, {.options = {{"seconds", "0.1"}},
                                        .plan = {{"train", 30}},
                                        .node = {{"setup", "date +%s >\"$DLPERF_RUN_DIR/clock\""}}});
    expectOk(net, net.lab.wait(runner), 30);
    const auto clockOf = [&](int node) {
        const fs::path log = net.remoteLog(net.lab.runs().at(0), node);
        return std::stol(run::slurp(log.parent_path() / "trainer/clock"));
    };
    EXPECT_GT(clockOf(1), clockOf(0) + 80'000) << "its clock was off";
}

TEST_F(Place, NodesMayShareAHome) {
    NetLab net(2, {.sharedHome = true});
    expectOk(net, net.lab.wait(startRun(net, {.plan = {{"train", 30}}})), 30);
    const run::RunState run = net.lab.runs().at(0);
    EXPECT_NE(net.remoteLog(run, 0), net.remoteLog(run, 1));
    EXPECT_EQ(net.remoteLog(run, 0).parent_path().parent_path(),
              net.remoteLog(run, 1).parent_path().parent_path());
}

// Numbers of processes inside are not those outside, and nothing inside is a child of what starts it.
TEST_F(Place, AContainerHasProcessesOfItsOwn) {
    for (const std::string behaviour : {"train", "sessions"}) {
        NetLab net(2);
        for (const int node : {0, 1}) {
            startContainer(net.machine(node));
        }
        const pid_t runner =
            startRun(net, {.options = {{"behaviour", behaviour}}, .node = {{"container", {"/root/enter"}}}});
        if (behaviour == "train") {
            expectOk(net, net.lab.wait(runner), 20);
            continue;
        }
        ASSERT_TRUE(waitForIteration(net, 3));
        EXPECT_EQ(cancel(net).exitCode, 0);
        expectNotOk(net, net.lab.wait(runner), Outcome::Cancelled, "a cancel request");
    }
}

TEST_F(Place, TrainersInSessionsOfTheirOwnAreStoppedOnEveryNode) {
    NetLab net(2);
    const pid_t runner = startRun(net, {.options = {{"behaviour", "sessions"}}});
    ASSERT_TRUE(waitForIteration(net, 3));
    EXPECT_GE(net.lab.trainers().size(), 6U) << "wrapper, trainer and what it started, twice";
    EXPECT_EQ(cancel(net).exitCode, 0);
    expectNotOk(net, net.lab.wait(runner), Outcome::Cancelled, "a cancel request");
}

TEST_F(Place, AFullDiskOfANodeIsNamedAndItsLogIsKept) {
    NetLab net(2);
    for (const int node : {0, 1}) {
        ASSERT_EQ(
            net.machine(node).run("mkdir /root/dlperf && mount -t tmpfs -o size=512k none /root/dlperf"), 0);
    }
    const run::Ended ended = net.lab.wait(startRun(
        net, {.options = {{"behaviour", "flood"}}, .arguments = {"--anyway"}}));  // a check would refuse it
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    const run::RunState run = net.lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, testing::ContainsRegex("the disk of node [ab] is full"));
    std::uintmax_t longest = 0;  // the other one may have ended with it before it wrote much
    for (const int node : {0, 1}) {
        const fs::path here = run.path / ("node" + std::to_string(node) + ".log");
        longest = std::max(longest, fs::file_size(here));
        // Only the machine itself sees its disk.
        EXPECT_EQ(net.machine(node).run("cmp " + net.remoteLogThere(run, node) + " " + here.string()), 0);
    }
    EXPECT_GT(longest, 200'000U);
}

}  // namespace
}  // namespace dlperf::test
