// SPDX-License-Identifier: Apache-2.0
// What breaks between the runner and its nodes, while it happens to real connections.
#include <sched.h>
#include <sys/mount.h>
#include <csignal>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <ostream>
#include <thread>

#include "core/remote/transport.h"
#include "core/run/journal.h"
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
    const run::RunState run = net.lab.runs().at(0);
    for (const int node : {0, 1}) {
        EXPECT_GT(run::iterationsOf(run::slurp(net.remoteLog(run, node))).size(),
                  run::iterationsOf(net.lab.log(run, node)).size() + 20)
            << "node " << node << " trained, and nobody here saw it";
    }
    EXPECT_THAT(net.lab.dlperf({"status", "--workspace", net.lab.workspace.root().string()}).output,
                testing::AllOf(HasSubstr("cause: a has not been reached for"),
                               HasSubstr("cause: b has not been reached for")));
    for (const int node : {0, 1}) {
        net.openSsh(node);
    }
    const run::Ended ended = net.lab.wait(runner);
    expectOk(net, ended, 120);
    EXPECT_THAT(ended.errors,
                testing::AllOf(HasSubstr("trouble with node a\n"), HasSubstr("No other node answers"),
                               HasSubstr("node a is reached again\n")));
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
    const run::RunState run = net.lab.runs().at(0);
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

// As the names of a network do while its VPN is away. The thread has an /etc/hosts of its own.
TEST_F(NetFault, ANameThatHadAnAddressMayGetItBack) {
    const Folder folder;
    const std::string hosts = (folder.path() / "hosts").string();
    folder.write("hosts", "127.0.0.1 lab.test\n");
    folder.write("nsswitch.conf", "hosts: files\n");
    folder.write("resolv.conf", "nameserver 127.0.0.1\n");  // nobody answers there
    std::jthread([&] {
        ASSERT_EQ(::unshare(CLONE_NEWNS), 0);
        ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
        ASSERT_EQ(::mount(hosts.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr), 0);
        ASSERT_EQ(::mount((folder.path() / "nsswitch.conf").c_str(), "/etc/nsswitch.conf", nullptr, MS_BIND,
                          nullptr),
                  0);
        ASSERT_EQ(
            ::mount((folder.path() / "resolv.conf").c_str(), "/etc/resolv.conf", nullptr, MS_BIND, nullptr),
            0);
        cluster::Node node;
        node.name = "lab";
        node.host = "lab.test";
        node.port = 1;  // nobody listens
        const auto lab = remote::openTransport(node).value();
        const auto says = [&](const std::string& words) {
            const auto answer = lab->run({"true", {}}, {});
            EXPECT_FALSE(answer);
            EXPECT_EQ(answer.error().kind, ErrorKind::Transient) << answer.error().what;
            return answer.error().what.find(words) != std::string::npos;
        };
        EXPECT_TRUE(says("does not answer"));
        std::ofstream(hosts) << "127.0.0.1 another.test\n";
        EXPECT_TRUE(run::eventually([&] { return says("has no address"); }));
        node.host = "mistyped.test";
        const auto mistyped = remote::openTransport(node).value()->run({"true", {}}, {});
        ASSERT_FALSE(mistyped);
        EXPECT_EQ(mistyped.error().kind, ErrorKind::Work) << "nothing will bring that one";
        // Where the names cannot be asked for at all, nothing is known of this one.
        std::ofstream(folder.path() / "nsswitch.conf") << "hosts: dns\n";
        const auto another = remote::openTransport(node).value();
        const auto kindNow = [&] { return another->run({"true", {}}, {}).error().kind; };
        EXPECT_EQ(kindNow(), ErrorKind::Transient);
        std::ofstream(folder.path() / "nsswitch.conf") << "hosts: files\n";
        EXPECT_TRUE(run::eventually([&] { return kindNow() == ErrorKind::Work; }));
    });
}

// What the run's journal says, up to this word.
bool waitForEvent(const NetLab& net, const std::string& word) {
    return run::eventually([&] {
        const auto runs = net.lab.runs();
        const auto events =
            run::readJournal((runs.empty() ? std::filesystem::path() : runs[0].path) / "journal.jsonl");
        return events && std::ranges::any_of(*events, [&](const run::Event& event) {
                   return run::toJson(event)["event"] == word;
               });
    });
}

// A slow way there gives each death time to come in the middle.
TEST_F(NetFault, ResumesARunnerThatWasKilledInEachPhase) {
    NetLab net(2);
    for (const int node : {0, 1}) {
        net.layFromDesk(node, {.delay = 20ms});
    }
    pid_t runner = startRun(net, {.options = {{"seconds", "0.1"}}, .plan = {{"train", 40}}});
    for (const std::string phase : {"claiming", "claimed", "starting", "started", "stopping", "stopped"}) {
        ASSERT_TRUE(waitForEvent(net, phase)) << phase;
        ::kill(runner, SIGKILL);
        (void)net.lab.wait(runner);
        EXPECT_TRUE(phase != "started" || net.lab.trainers().size() >= 2U) << "the trainers go on";
        runner = net.lab.start({"resume", "--workspace", net.lab.workspace.root().string()});
    }
    expectOk(net, net.lab.wait(runner), 40);
}

class OneWay : public NetTest, public testing::WithParamInterface<bool> {};

// Packets arrive in one direction only: during the start, while it trains, and at the collection.
TEST_P(OneWay, APartitionThatHealsDelaysTheRun) {
    const bool toNode = GetParam();
    NetLab net(2);
    const auto lay = [&](const Line& line) { toNode ? net.layFromDesk(1, line) : net.layBack(1, line); };
    const pid_t runner = startRun(net, {.options = {{"seconds", "0.1"}}, .plan = {{"train", 40}}});
    for (const std::string phase : {"claimed", "started", "stopping"}) {
        ASSERT_TRUE(waitForEvent(net, phase)) << phase;
        lay({.cut = true});
        std::this_thread::sleep_for(3s);
        EXPECT_NE(net.lab.runs().at(0).phase, run::RunPhase::Finished) << "it was cut in time";
        lay({});
    }
    expectOk(net, net.lab.wait(runner), 40);
}

INSTANTIATE_TEST_SUITE_P(Net, OneWay, testing::Bool(),
                         [](const auto& test) { return test.param ? "ToTheNode" : "FromTheNode"; });

// The machine lives, and what runs there goes on unseen; the next campaign finds it and stops it.
TEST_F(NetFault, AOneWayPartitionForGoodEndsTheRunAndItsLeftoversAreStoppedByTheNext) {
    NetLab net(2);
    const pid_t runner =
        startRun(net, {.options = {{"behaviour", "sessions"}}, .arguments = {"--lost-after", "4"}});
    ASSERT_TRUE(waitForIteration(net, 3));
    net.layBack(1, {.cut = true});
    const run::Ended ended = net.lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    EXPECT_THAT(net.lab.runs().at(0).reason,
                testing::AllOf(HasSubstr("node b was not reached for 4 s, others were"),
                               HasSubstr("node b could not be stopped")));
    EXPECT_FALSE(net.lab.trainers().empty()) << "they are out of reach";
    net.layBack(1, {});
    const run::Ended next = net.lab.wait(startRun(net, {}));
    EXPECT_EQ(next.exitCode, 0) << next.errors;
    EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
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
    friend void PrintTo(const BadLine& line, std::ostream* out) { *out << line.name; }
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
