// SPDX-License-Identifier: Apache-2.0
// Trainers whose runner is gone: what their node does about it, and who else can see and end them.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/run/node_scripts.h"
#include "core/run/work_on_nodes.h"
#include "tests/run/bench.h"
#include "tests/run/lab.h"
#include "tests/support/program.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// A runner of an endless trainer that was killed.
void leaveOrphan(Lab& lab, const std::vector<std::string>& options,
                 const std::string& behaviour = "endless") {
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", behaviour}, {"seconds", "0.05"}}), options));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    ASSERT_FALSE(lab.trainers().empty());
}

TEST(Lease, ATrainerThatNoRunnerLooksAfterIsEndedByItsNode) {
    Lab lab;
    ASSERT_NO_FATAL_FAILURE(leaveOrphan(lab, {"--lease", "2"}));
    EXPECT_TRUE(eventually([&] { return lab.trainers().empty(); }));
    (void)lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Failed);
    EXPECT_THAT(lab.runs().at(0).reason, HasSubstr("ended the trainer: no runner was heard of for 2 s"));
    EXPECT_FALSE(fs::exists(lab.home / "dlperf/runs" / lab.runs().at(0).id)) << "its folder goes";
}

TEST(Lease, ARunnerAtWorkKeepsItsTrainer) {
    Lab lab;  // the trainer takes three times as long as the lease
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan({{"seconds", "0.3"}}), {"--lease", "2"}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(iterationsOf(lab.log(lab.runs().at(0))), oneTo(20));
}

TEST(Lease, ANodeEndsARunThatHadItsTimeThoughNobodyReachesIt) {
    Bench bench(1, {{"timeout_s", 5}}, {{"behaviour", "endless"}});
    bench.settings.lease = 30s;  // the node looks each second then
    bench.settings.limitMargin = 0s;
    std::jthread later;
    bench.told = [&](const RunState& run) {
        if (run.phase == RunPhase::Running && run.iteration > 0 && !later.joinable()) {
            bench.transports["a"]->away = true;
            later = std::jthread([&] {
                EXPECT_TRUE(eventually([&] {
                    const auto runs = bench.folder.path() / "nodes/runs";
                    return fs::exists(runs / readStatus(bench.workspace).campaigns.at(0).runs.at(0).id /
                                      "a/exit");
                }));
                bench.transports["a"]->away = false;
            });
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("node a ended the trainer, which had run for 5 s"));
}

TEST(Reap, AnOrphanIsSeenAndEndedByWhoeverAsks) {
    Lab lab;
    ASSERT_NO_FATAL_FAILURE(leaveOrphan(lab, {"--lease", "0"}, "sessions"));
    const std::string id = lab.runs().at(0).id;
    const std::string cluster = lab.cluster(1, {{"name", "this"}}).string();
    EXPECT_THAT(lab.dlperf({"ps", cluster}).output, AllOf(HasSubstr("this  run " + id), HasSubstr("run.sh")));
    EXPECT_THAT(lab.dlperf({"reap", cluster}).output, HasSubstr("kept: its runner is at work"));
    EXPECT_FALSE(lab.trainers().empty());

    const fs::path lock = lab.home / "dlperf/locks/this";
    fs::last_write_time(lock, fs::file_time_type::clock::now() - 5min);
    EXPECT_THAT(lab.dlperf({"ps", cluster}).output, HasSubstr("no runner since 5 min"));
    EXPECT_THAT(lab.dlperf({"reap", cluster, "--dry-run"}).output, HasSubstr(id + "  would be ended"));
    EXPECT_THAT(lab.dlperf({"reap", cluster, "--run", "another"}).output, Not(HasSubstr(id)));
    EXPECT_FALSE(lab.trainers().empty());
    const Ended reaped = lab.dlperf({"reap", cluster});
    EXPECT_EQ(reaped.exitCode, 0) << reaped.errors;
    EXPECT_THAT(reaped.output, HasSubstr(id + "  ended"));
    EXPECT_TRUE(lab.trainers().empty());
    EXPECT_FALSE(fs::exists(lock));
    EXPECT_THAT(lab.dlperf({"ps", cluster}).output,
                Not(HasSubstr(id)));  // other tests may run beside this one
}

TEST(Reap, WhatNodesPrintIsTakenAsItIsMeant) {
    const MachineWork work = parseWork(
        "machine boot pid:[1]\nprocess 12 30 c/1 bash launch.sh\nprocess 7 300 c/1 bash run.sh x\nprocess\n"
        "process 9 x d/2 \nlock 70 c/1 a /w x\nlock 5 e/3 b /w\nlock\n");
    EXPECT_EQ(work.machine, "boot pid:[1]");
    ASSERT_EQ(work.runs.size(), 3U);
    EXPECT_EQ(work.runs[0].run, "c/1");
    EXPECT_THAT(work.runs[0].pids, ElementsAre("12", "7"));
    EXPECT_EQ(work.runs[0].command, "bash run.sh x") << "of the oldest";
    EXPECT_FALSE(work.runs[0].hasRunner());
    EXPECT_EQ(work.runs[0].locks.at(0).workDir, "/w x");
    EXPECT_FALSE(work.runs[1].silence);
    EXPECT_TRUE(work.runs[2].hasRunner());
    EXPECT_TRUE(work.runs[2].pids.empty());
}

// Two users whose homes and locks know nothing of each other, on a machine with a /tmp of its own.
TEST(Marks, TwoUsersOfOneMachineExcludeEachOther) {
    if (::geteuid() != 0 || std::system("unshare -m true 2>/dev/null") != 0) {
        GTEST_SKIP() << "two users need root, and a /tmp of their own a mount namespace";
    }
    const auto as = [](const std::string& uid, const std::string& script) {
        return "HOME=/tmp/home" + uid + " setpriv --reuid=" + uid + " --clear-groups sh -c " +
               shellQuote(script);
    };
    const std::string claimA = as("64001", claimScript("~/work", "campaign/0001", "n1"));
    const std::string claimB = as("64002", claimScript("~/work", "other/0007", "gpu-1"));
    const std::string releaseA = as("64001", releaseScript("~/work", "campaign/0001", "n1"));
    const std::string all =
        "mount -t tmpfs -o mode=1777 none /tmp; cd /tmp\n"
        "for u in 64001 64002; do mkdir home$u; chown $u home$u; done\n" +
        claimA + " >/dev/null; echo \"first $?\"\n" + claimA + " >/dev/null; echo \"again $?\"\n" + claimB +
        "; echo \"second $?\"; find home64002 -name gpu-1\n" + releaseA + "\n" + claimB +
        " >/dev/null; echo \"then $?\"\n" +
        // a mark from the future, then a link where marks are to be, and a mark that nobody touches any more
        "touch -d '+1 year' dlperf-64002/*\n" + claimA + " >/dev/null; echo \"future $?\"\n" + releaseA +
        "\nrm -rf dlperf-64001; ln -s home64002 dlperf-64001; touch -d '-5 min' dlperf-64002/*\n" + claimA +
        " >/dev/null; echo \"link $?\"; ls home64002\n";
    const test::Folder scratch;
    const test::Ran ran = test::runProgram("unshare", {"-m", "sh", "-c", all}, scratch);
    EXPECT_EQ(
        ran.output,
        "first 0\nagain 0\ncampaign/0001 of user UNKNOWN, 64001\nsecond 75\nthen 0\nfuture 0\nlink 0\nwork\n")
        << ran.errors;
}

}  // namespace
}  // namespace dlperf::run
