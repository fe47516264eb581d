// SPDX-License-Identifier: Apache-2.0
// Several nodes, all on this machine, through the same Transport as any other node.
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>

#include "core/run/journal.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Nodes, EachNodeHasItsOwnLogAndEnvironment) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "text"}}, {{"topologies", {"2n2g"}}});
    const Ended ended = lab.dlperf(lab.runArguments(
        plan, {"--cluster", lab.cluster(2, {{"env", {{"COLOUR", "green & blue"}}}}).string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.nodes, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(run.throughput, 64.0);
    EXPECT_FALSE(lab.log(run, 0).empty());
    EXPECT_EQ(lab.log(run, 1), lab.log(run, 0));
    for (const std::string name : {"a", "b"}) {
        std::string variables = slurp(lab.root / "nodes/runs" / run.id / name / "trainer/env");
        std::replace(variables.begin(), variables.end(), '\0', '\n');
        EXPECT_THAT(variables, HasSubstr("\nCOLOUR=green & blue\n"));
        EXPECT_THAT(variables, HasSubstr("\nDLPERF_WORLD_SIZE=4\n"));
        EXPECT_THAT(variables, HasSubstr(name == "a" ? "\nDLPERF_NODE_RANK=0\n" : "\nDLPERF_NODE_RANK=1\n"));
        EXPECT_THAT(variables, HasSubstr("\nDLPERF_NODE_ADDRESSES=127.0.0.1,127.0.0.1\n"));
    }
}

TEST(Nodes, OneTrainerDyingEndsTheRunEverywhere) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "second-dies"}}, {{"topologies", {"2n1g"}}});
    EXPECT_EQ(lab.dlperf(lab.runArguments(plan, {"--cluster", lab.cluster(2).string()})).exitCode, 1);
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, HasSubstr("node b"));
    EXPECT_THAT(run.reason, HasSubstr("exit code 7"));
    EXPECT_TRUE(lab.trainers().empty());
}

// As seen after a reboot: the trainers of the other nodes lose their peer and fail before anything is known
// of it.
TEST(Nodes, AMachineThatWasStartedAnewIsBlamedAndNotTheOneThatFailedForIt) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "endless"}}, {{"topologies", {"2n1g"}}});
    const pid_t runner = lab.start(lab.runArguments(plan, {"--cluster", lab.cluster(2).string()}));
    ASSERT_TRUE(lab.waitForLog(0));
    const fs::path identity = lab.root / "nodes/runs" / lab.runs().at(0).id / "b/identity";
    std::istringstream words(slurp(identity));
    pid_t wrapper = 0;
    std::string start;
    words >> wrapper >> start;
    ASSERT_GT(wrapper, 1);
    ASSERT_TRUE(writeFileAtomically(identity, std::to_string(wrapper) + " " + start + " the-boot-before\n"));
    ::kill(wrapper, SIGKILL);
    for (const pid_t trainer : lab.trainers()) {
        const bool isOfFirst =
            slurp("/proc/" + std::to_string(trainer) + "/environ").find("DLPERF_NODE_RANK=0") !=
            std::string::npos;
        ::kill(trainer, isOfFirst ? SIGTERM : SIGKILL);
    }
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    EXPECT_THAT(lab.runs().at(0).reason, testing::StartsWith("node b was started anew during the run"));
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Nodes, AFirstNodeRecipeStartsOnTheFirstNodeOnly) {
    Lab lab;
    const auto plan = lab.plan({}, {{"recipes", {"toy-first"}}, {"topologies", {"2n1g"}}});
    const Ended ended = lab.dlperf(lab.runArguments(plan, {"--cluster", lab.cluster(2).string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    EXPECT_TRUE(fs::exists(run.path / "node0.log"));
    EXPECT_FALSE(fs::exists(run.path / "node1.log"));
}

TEST(Nodes, AKilledRunnerTakesUpTwoNodes) {
    Lab lab;
    const auto plan = lab.plan({{"seconds", "0.1"}}, {{"topologies", {"2n1g"}}});
    const pid_t runner = lab.start(lab.runArguments(plan, {"--cluster", lab.cluster(2).string()}));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
    EXPECT_EQ(iterationsOf(lab.log(run, 0)).size(), 20U);
    EXPECT_EQ(iterationsOf(lab.log(run, 1)).size(), 20U);
}

TEST(Nodes, SetupIsSourcedAndSecretsAreNeverWritten) {
    Lab lab;
    lab.environment["HF_TOKEN"] = "s3cr3t'value";
    const auto cluster =
        lab.cluster(1, {{"setup", "export FROM_SETUP=yes; cd /"}, {"secret_env", {"HF_TOKEN"}}}).string();
    const Ended ended =
        lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "text"}}), {"--cluster", cluster}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    const fs::path onNode = lab.root / "nodes/runs" / run.id / "a";
    EXPECT_THAT(slurp(onNode / "trainer/env"), HasSubstr("HF_TOKEN=s3cr3t'value"));
    EXPECT_THAT(slurp(onNode / "trainer/env"), HasSubstr("FROM_SETUP=yes"));
    fs::remove(onNode / "trainer/env");  // what the toy wrote; nothing else may hold the value
    for (const fs::path& root : {lab.workspace.root(), lab.root / "nodes"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (entry.is_regular_file()) {
                EXPECT_THAT(slurp(entry.path()), testing::Not(HasSubstr("s3cr3t"))) << entry.path();
            }
        }
    }
    EXPECT_THAT(slurp(run.path / "node0.env"), HasSubstr("HF_TOKEN is a secret"));
}

TEST(Nodes, VariablesThatChangeTheSpeedAreFacts) {
    Lab lab;
    lab.environment = {{"OMP_NUM_THREADS", "3"}, {"MKL_TOKEN", "s3cr3t"}, {"RANK", "5"}};
    const auto cluster =
        lab.cluster(1, {{"env", {{"NCCL_DEBUG", "WARN"}}}, {"secret_env", {"MKL_TOKEN"}}}).string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({}), {"--cluster", cluster})).exitCode, 0);
    const std::string record = slurp(lab.runs().at(0).path / "run.json");
    EXPECT_THAT(record, HasSubstr("\"env=OMP_NUM_THREADS=3\""));
    EXPECT_THAT(record, HasSubstr("\"env=NCCL_DEBUG=WARN\""));
    EXPECT_THAT(record, testing::Not(HasSubstr("s3cr3t")));
}

TEST(Nodes, ASecretThatIsNotSetIsNamed) {
    Lab lab;
    const auto cluster = lab.cluster(1, {{"secret_env", {"HF_TOKEN"}}}).string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({}), {"--cluster", cluster})).exitCode, 1);
    EXPECT_THAT(lab.runs().at(0).reason, HasSubstr("HF_TOKEN is not set"));
}

TEST(Nodes, AContainerIsReachedThroughItsPrefix) {
    Lab lab;
    const Json container{{"container", {"env", "IN_CONTAINER=it's me"}},
                         {"container_work_dir", (lab.root / "inside work").string()}};
    const auto cluster = lab.cluster(1, container).string();
    const Ended ended =
        lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "text"}}), {"--cluster", cluster}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    EXPECT_THAT(slurp(lab.root / "inside work/runs" / run.id / "a/trainer/env"),
                HasSubstr("IN_CONTAINER=it's me"));
}

TEST(Nodes, ANodeRunsOneRunAtATime) {
    Lab lab;
    Lab other;
    const auto cluster = lab.cluster(1).string();  // both labs use this node
    const pid_t first = lab.start(lab.runArguments(lab.plan({{"seconds", "0.1"}}), {"--cluster", cluster}));
    ASSERT_TRUE(lab.waitForLog(0));
    const pid_t second = other.start(other.runArguments(other.plan({}), {"--cluster", cluster}));
    EXPECT_EQ(lab.wait(first).exitCode, 0);
    EXPECT_EQ(other.wait(second).exitCode, 0);
    const auto events = readJournal(lab.runs().at(0).path / "journal.jsonl").value();
    const auto stopped = std::find_if(events.begin(), events.end(), [](const Event& one) {
        return std::holds_alternative<event::Stopped>(one.what);
    });
    ASSERT_NE(stopped, events.end());
    EXPECT_GE(*other.runs().at(0).started, stopped->time);
}

TEST(Nodes, RunsThatWantTheSameTwoNodesInAnyOrderBothEnd) {
    Lab lab;
    Lab other;
    const auto cluster = lab.cluster(2).string();
    const auto plan = [](Lab& its, const Json& nodes) {
        return its.plan({}, {{"topologies", {"2n1g"}}, {"nodes", nodes}, {"repetitions", 2}, {"train", 5}});
    };
    const pid_t first = lab.start(lab.runArguments(plan(lab, {"a", "b"}), {"--cluster", cluster}));
    const pid_t second = other.start(other.runArguments(plan(other, {"b", "a"}), {"--cluster", cluster}));
    EXPECT_EQ(lab.wait(first).exitCode, 0);
    EXPECT_EQ(other.wait(second).exitCode, 0);
}

TEST(Nodes, ALogThatMayNotGrowEndsTheRunWithAReason) {
    Lab lab;
    const auto cluster = lab.cluster(1, {{"setup", "ulimit -f 64"}}).string();
    EXPECT_EQ(
        lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "flood"}}), {"--cluster", cluster})).exitCode, 1);
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, HasSubstr("SIGXFSZ"));
    EXPECT_EQ(lab.log(run).size(), 64U * 1024U);
}

TEST(Nodes, AFullDiskOnANodeIsNamed) {
    Lab lab;
    const fs::path disk = lab.root / "disk";
    fs::create_directories(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
        GTEST_SKIP() << "a small file system can be mounted by root only";
    }
    const auto cluster = lab.cluster(1, {{"work_dir", disk.string()}}).string();
    const auto plan = lab.plan({{"behaviour", "flood"}});
    const Ended refused = lab.dlperf(lab.runArguments(plan, {"--cluster", cluster}));
    EXPECT_THAT(refused.errors, HasSubstr("0.0 GB free in " + disk.string()));
    EXPECT_TRUE(lab.status().empty());
    const Ended ended = lab.dlperf(lab.runArguments(plan, {"--cluster", cluster, "--anyway"}));
    const auto runs = lab.runs();
    ::umount2(disk.c_str(), MNT_DETACH);
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_EQ(runs.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(runs.at(0).reason, HasSubstr("the disk of node a is full"));
    EXPECT_GT(lab.log(runs.at(0)).size(), 100U * 1024U);
}

TEST(Nodes, AFullWorkspaceDiskStopsTheRunAndResumesOnceThereIsRoom) {
    Lab lab;
    const fs::path disk = lab.workspace.root();
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0) {
        GTEST_SKIP() << "a small file system can be mounted by root only";
    }
    const Ended ended = lab.dlperf(lab.runArguments(
        lab.plan({{"behaviour", "flood"}}), {"--cluster", lab.cluster(1).string(), "--keep-node-files"}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("No space left on device"));
    EXPECT_TRUE(lab.trainers().empty());
    ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m");
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", disk.string()}).exitCode, 1);
    const auto campaigns = lab.status();
    EXPECT_TRUE(campaigns.at(0).finished());
    EXPECT_EQ(campaigns.at(0).runs.at(0).outcome, Outcome::Failed);
    EXPECT_EQ(lab.log(campaigns.at(0).runs.at(0)),
              slurp(lab.root / "nodes/runs" / campaigns.at(0).runs.at(0).id / "a/log"));
    ::umount2(disk.c_str(), MNT_DETACH);
}

TEST(Nodes, AWorkspaceThatMayOnlyBeReadCanBeLookedAt) {
    Lab lab;
    const fs::path disk = lab.workspace.root();
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=8m") != 0) {
        GTEST_SKIP() << "a small file system can be mounted by root only";
    }
    const auto cluster = lab.cluster(1).string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({}), {"--cluster", cluster})).exitCode, 0);
    ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr);
    const Ended status = lab.dlperf({"status", "--workspace", disk.string()});
    const Ended report = lab.dlperf({"report", "--workspace", disk.string(), "-o", lab.root / "r.md"});
    const Ended resumed = lab.dlperf({"resume", "--workspace", disk.string()});
    ::umount2(disk.c_str(), MNT_DETACH);
    EXPECT_EQ(status.exitCode, 0) << status.errors;
    EXPECT_THAT(status.output, HasSubstr("16.00 images/s"));
    EXPECT_EQ(report.exitCode, 0) << report.errors;
    EXPECT_EQ(resumed.exitCode, 1);
    EXPECT_THAT(resumed.errors, HasSubstr("cannot be written to"));
}

TEST(Nodes, AWorkFolderThatCannotBeMadeIsNamed) {
    Lab lab;
    const auto cluster = lab.cluster(1, {{"work_dir", "/proc/nothing"}}).string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({}), {"--cluster", cluster, "--anyway"})).exitCode, 1);
    EXPECT_THAT(lab.runs().at(0).reason, HasSubstr("/proc/nothing"));
}

}  // namespace
}  // namespace dlperf::run
