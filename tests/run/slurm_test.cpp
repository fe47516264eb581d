// SPDX-License-Identifier: Apache-2.0
// Runs on nodes that a real Slurm gives: slurmctld and a slurmd for each node, all on this machine.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "core/base/text.h"
#include "core/cluster/compute_baseline.h"
#include "core/cluster/link_baseline.h"
#include "core/remote/job_transport.h"
#include "core/remote/local_transport.h"
#include "core/store/run_record.h"
#include "tests/run/lab.h"
#include "tests/support/slurm.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::map<std::string, std::string> endless{{"behaviour", "endless"}, {"seconds", "0.05"}};

class Slurm : public testing::Test {
protected:
    void SetUp() override {
        if (!test::OwnSlurm::isThere()) {
            GTEST_SKIP() << "there is no Slurm (slurmctld, slurmd, munge)";
        }
        slurm = std::make_unique<test::OwnSlurm>(3);
        ASSERT_EQ(slurm->trouble(), "");
        lab.environment["SLURM_CONF"] = slurm->conf();
    }
    void TearDown() override {
        if (slurm) {
            EXPECT_EQ(ask("squeue -h"), "") << "jobs were left behind";
            EXPECT_EQ(ask("grep -lzs ^DLPERF_JOB_NODE=" + lab.root.string() + " /proc/[0-9]*/environ"), "");
            EXPECT_FALSE(std::filesystem::exists(lab.root / "shared/jobs")) << "folders were left behind";
        }
    }

    std::string ask(const std::string& command) { return slurm->ask(command); }
    std::filesystem::path cluster(int nodes, const Json& asked = {{"partition", "main"}},
                                  const Json& changes = Json::object()) {
        Json node{{"devices", 2}, {"work_dir", (lab.root / "shared").string()}};
        node.update(changes);
        const Json json{
            {"name", "lab"}, {"scheduler", "slurm"}, {"slurm", asked}, {"nodes", nodes}, {"node", node}};
        std::ofstream(lab.root / "slurm.json") << json.dump();
        return lab.root / "slurm.json";
    }
    std::vector<std::string> runOn(const std::filesystem::path& cluster, const std::filesystem::path& plan) {
        return lab.runArguments(plan, {"--cluster", cluster.string()});
    }
    // The job of the run that is on.
    std::string job() {
        const auto runs = lab.runs();
        for (const RunState& run : runs) {
            if (run.phase != RunPhase::Finished && run.slurm) {
                return run.slurm->job;
            }
        }
        return {};
    }
    bool isInQueue() {
        const auto runs = lab.runs();
        return !runs.empty() && runs.front().phase == RunPhase::InQueue;
    }
    // An endless run on two nodes that is on now.
    pid_t startEndless() {
        const auto arguments = runOn(cluster(2), lab.plan(endless, {{"topologies", {"2n1g"}}}));
        const pid_t runner = lab.start(arguments);
        EXPECT_TRUE(lab.waitForLog(0));
        return runner;
    }

    Lab lab;
    std::unique_ptr<test::OwnSlurm> slurm;
};

TEST_F(Slurm, ARunHasAJobOfItsOwnForAsManyNodesAsItTakes) {
    const Ended ended =
        lab.dlperf(runOn(cluster(2), lab.plan({}, {{"topologies", {"1n1g", "2n1g"}}, {"recipes", {"toy"}}})));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].throughput, 16.0);
    EXPECT_EQ(runs[1].throughput, 32.0);
    ASSERT_TRUE(runs[0].slurm && runs[1].slurm);
    EXPECT_NE(runs[0].slurm->job, runs[1].slurm->job);
    EXPECT_EQ(runs[0].nodes.size(), 1U);
    EXPECT_THAT(runs[1].nodes, ElementsAre("c1", "c2"));
    EXPECT_EQ(iterationsOf(lab.log(runs[1], 1)), oneTo(20));
    const auto record = store::readRunRecord(runs[1].path);
    ASSERT_TRUE(record) << describe(record.error());
    EXPECT_EQ(record->facts["nodes"][1]["sha256"], record->facts["nodes"][1]["remote_sha256"]);
}

TEST_F(Slurm, OneJobServesACampaignThatAsksForThat) {
    const auto nodes = cluster(2, {{"jobs", "campaign"}});
    const Ended ended = lab.dlperf(runOn(nodes, lab.plan({}, {{"topologies", {"1n1g", "2n1g"}}})));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    ASSERT_TRUE(runs[0].slurm && runs[1].slurm);
    EXPECT_EQ(runs[0].slurm->job, runs[1].slurm->job);
    EXPECT_EQ(runs[1].throughput, 32.0);
}

// Each of two runs of a campaign goes on without end, in a job that is the campaign's where it asks for that.
TEST_F(Slurm, AJobThatEndedWithOneRunIsNotAskedForTheNext) {
    const auto nodes = cluster(1, {{"jobs", "campaign"}});
    const pid_t runner = lab.start(runOn(nodes, lab.plan(endless, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const std::string first = job();
    slurm->tell("scancel " + first);
    ASSERT_TRUE(lab.waitForLog(1)) << lab.runs().back().reason;
    EXPECT_NE(job(), first);
    EXPECT_THAT(lab.runs().front().reason, HasSubstr("was cancelled by somebody else"));
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

TEST_F(Slurm, ARunThatWasPreemptedIsNoReasonToSkipTheNext) {
    auto arguments = runOn(cluster(1), lab.plan(endless, {{"repetitions", 2}}));
    arguments.insert(arguments.end(), {"--stop-after", "1"});
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    const std::string other =
        ask("sbatch --parsable -o /dev/null -p urgent -N3 --exclusive --wrap 'sleep 600'");
    ASSERT_TRUE(eventually([&] { return lab.runs().front().phase == RunPhase::Finished; }));
    slurm->tell("scancel " + other);
    EXPECT_TRUE(lab.waitForLog(1)) << lab.runs().back().reason;
    EXPECT_THAT(lab.runs().front().reason, HasSubstr("was preempted by another job"));
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

TEST_F(Slurm, AJobAsksForNoLongerThanItsPartitionAllows) {
    for (const auto& [timeout, limit] : {std::pair(7200, "1:00:00"), std::pair(600, "20:00")}) {
        const pid_t runner = lab.start(
            runOn(cluster(1), lab.plan(endless, {{"topologies", {"1n1g"}}, {"timeout_s", timeout}})));
        ASSERT_TRUE(eventually([&] { return !ask("squeue -h").empty(); }));
        EXPECT_EQ(ask("squeue -h -o %l"), limit);
        ::kill(runner, SIGINT);
        (void)lab.wait(runner);
    }
}

TEST_F(Slurm, WaitingInTheQueueIsAStateThatSaysWhyAndTakesNoRunTime) {
    const std::string other = slurm->occupy();
    const pid_t runner = lab.start(runOn(cluster(2), lab.plan({}, {{"timeout_s", 5}})));
    ASSERT_TRUE(eventually([&] { return isInQueue() && !job().empty(); }));
    ASSERT_TRUE(eventually([&] { return ask("squeue -h -o %r -j " + job()) == "Resources"; }));
    std::this_thread::sleep_for(std::chrono::seconds(6));  // longer than the run may take
    EXPECT_TRUE(isInQueue());
    EXPECT_THAT(lab.dlperf({"status", "--workspace", lab.workspace.root().string()}).output,
                HasSubstr("in-queue  job " + job() + " waits: Resources"));
    slurm->tell("scancel " + other);
    const Ended ended = lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("waits: Resources, 1 of 1 in its partition"));
    EXPECT_EQ(lab.runs().front().throughput, 16.0);
}

TEST_F(Slurm, ACancelInTheQueueLeavesNoJob) {
    const std::string other = slurm->occupy();
    const pid_t runner = lab.start(runOn(cluster(2), lab.plan()));
    ASSERT_TRUE(eventually([&] { return isInQueue() && !job().empty(); }));
    ::kill(runner, SIGINT);
    EXPECT_NE(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(ask("squeue -h -o %i"), other);
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Cancelled);
    slurm->tell("scancel " + other);
    EXPECT_TRUE(eventually([&] { return ask("squeue -h").empty(); }));
}

TEST_F(Slurm, ACancelEndsTheTrainersAndTheJob) {
    const pid_t runner = startEndless();
    ::kill(runner, SIGINT);
    EXPECT_NE(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Cancelled);
    EXPECT_TRUE(lab.trainers().empty());
}

TEST_F(Slurm, AJobOutlivesItsRunnerAndResumeFindsIt) {
    const auto arguments =
        runOn(cluster(2), lab.plan({{"seconds", "0.2"}}, {{"topologies", {"2n1g"}}, {"train", 40}}));
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    const std::string before = job();
    ::kill(runner, SIGKILL);
    lab.wait(runner);
    EXPECT_EQ(ask("squeue -h -o %i"), before);
    const Ended ended = lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().front();
    EXPECT_EQ(run.slurm->job, before);
    EXPECT_EQ(run.throughput, 32.0);
    EXPECT_EQ(iterationsOf(lab.log(run)), oneTo(40));
}

TEST_F(Slurm, TheJobOfACampaignThatIsCancelledBetweenTwoRunsEnds) {
    const auto nodes = cluster(1, {{"jobs", "campaign"}});
    const pid_t runner = lab.start(runOn(nodes, lab.plan({}, {{"repetitions", 2}, {"pause_s", 600}})));
    ASSERT_TRUE(eventually([&] {
        const auto runs = lab.runs();
        return !runs.empty() && runs.front().phase == RunPhase::Finished;
    }));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    EXPECT_NE(ask("squeue -h"), "");
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    EXPECT_EQ(ask("squeue -h"), "");
}

TEST_F(Slurm, ARunnerKilledJustBeforeItEndsItsLastJobLeavesNone) {
    std::filesystem::create_directory(lab.root / "bin");
    const std::string killer = (lab.root / "bin/scancel").string();
    std::ofstream(killer) << "#!/bin/sh\nkill -9 $(cat " << (lab.root / "runner.pid").string() << ")\n";
    std::filesystem::permissions(killer, std::filesystem::perms::owner_all);
    for (const char* jobs : {"run", "campaign"}) {
        lab.environment["PATH"] = (lab.root / "bin").string() + ":" + std::getenv("PATH");
        const pid_t runner = lab.start(runOn(cluster(1, {{"jobs", jobs}}), lab.plan()));
        std::ofstream(lab.root / "runner.pid") << runner << std::endl;
        EXPECT_NE(lab.wait(runner).exitCode, 0) << jobs;
        EXPECT_NE(ask("squeue -h"), "") << jobs;
        lab.environment.erase("PATH");
        const Ended ended = lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
        EXPECT_EQ(ended.exitCode, 0) << jobs << ended.errors;
        EXPECT_EQ(ask("squeue -h"), "") << jobs;
        EXPECT_EQ(lab.runs().back().throughput, 16.0) << jobs;
    }
}

// As a machine that dies: slurmctld believes in it for SlurmdTimeout.
TEST_F(Slurm, ANodeThatDoesNotAnswerIsNoReasonToSkipTheNextRun) {
    auto arguments = runOn(cluster(2), lab.plan(endless, {{"topologies", {"2n1g"}}, {"repetitions", 2}}));
    arguments.insert(arguments.end(), {"--stop-after", "1", "--lost-after", "4"});
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    slurm->tell("for pid in $(grep -lzs " + lab.root.string() +
                "/shared/jobs/ /proc/[0-9]*/cmdline /proc/[0-9]*/environ | cut -d/ -f3 | sort -u); do "
                "! grep -qzx SLURM_NODEID=1 /proc/$pid/environ || kill -9 $pid; done");
    ASSERT_TRUE(eventually([&] { return lab.runs().front().phase == RunPhase::Finished; }));
    EXPECT_THAT(lab.runs().front().reason, HasSubstr("was not reached for"));
    EXPECT_TRUE(lab.waitForLog(1)) << lab.runs().back().reason;
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

TEST_F(Slurm, ARunnerKilledInTheQueueFindsItsJobByItsComment) {
    const std::string other = slurm->occupy();
    const pid_t runner = lab.start(runOn(cluster(1), lab.plan()));
    ASSERT_TRUE(eventually([&] { return isInQueue() && !job().empty(); }));
    const std::string before = job();
    ::kill(runner, SIGKILL);
    lab.wait(runner);
    const pid_t again = lab.start({"resume", "--workspace", lab.workspace.root().string()});
    ASSERT_TRUE(eventually([&] { return lab.status().back().runnerAlive; }));
    slurm->tell("scancel " + other);
    const Ended ended = lab.wait(again);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(lab.runs().front().slurm->job, before);
}

TEST_F(Slurm, NodesThatNoRunnerAsksForAreGivenBack) {
    auto arguments = runOn(cluster(2), lab.plan(endless, {{"topologies", {"2n1g"}}}));
    arguments.insert(arguments.end(), {"--lease", "3"});
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    EXPECT_TRUE(eventually([&] { return ask("squeue -h").empty() && lab.trainers().empty(); }));
    (void)lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Failed);
    // The job and its nodes each watch for a runner; either may give up first.
    EXPECT_THAT(lab.runs().front().reason,
                AnyOf(HasSubstr("gave its nodes back"), HasSubstr("no runner was heard of for 3 s")));
}

TEST_F(Slurm, AJobWithoutARunnerIsListedAndEndedByName) {
    const pid_t runner = startEndless();
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const std::string id = lab.runs().front().id;
    const std::string nodes = (lab.root / "slurm.json").string();
    EXPECT_EQ(lab.dlperf({"ps", nodes}).output, "job " + job() + "  RUNNING  run " + id + "\n");
    EXPECT_THAT(lab.dlperf({"reap", nodes}).output, HasSubstr("say with --run"));
    EXPECT_EQ(lab.dlperf({"reap", nodes, "--run", id}).output,
              "job " + job() + "  RUNNING  run " + id + "  ended\n");
    EXPECT_TRUE(eventually([&] { return lab.trainers().empty(); }));
    EXPECT_EQ(lab.dlperf({"ps", nodes}).output, "no job of a run is in the queue\n");
    (void)lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Cancelled);
}

// The worker on so many devices, started by the launcher from the first node.
std::vector<std::string> byLauncher(Lab& lab, const std::filesystem::path& cluster,
                                    const std::string& launcher, const std::vector<std::string>& topologies,
                                    int iterations) {
    const auto plan =
        lab.plan({{"launcher", launcher}, {"image_size", "32"}, {"classes", "10"}, {"backend", "cpu"}},
                 {{"recipes", {"dlperf-worker"}},
                  {"topologies", topologies},
                  {"batch_sizes", {2}},
                  {"train", iterations}});
    return {"run",       plan.string(),    "--workspace", lab.workspace.root().string(),
            "--cluster", cluster.string(), "--grace",     "1"};
}

// Slurm chooses nodes, so no two of them can be asked for: all are measured, and one by itself.
TEST_F(Slurm, LinksAreMeasuredWithinJobs) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        GTEST_SKIP() << "this build has no worker";
    }
    const Ended ended =
        lab.dlperf({"bench", "links", cluster(2).string(), "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("pairs are not measured one by one"));
    const auto baseline = cluster::readLinkBaseline(lab.workspace.linkBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_TRUE(baseline->pairs.empty());
    EXPECT_EQ(baseline->all.value().points.size(), 9U);
    ASSERT_EQ(baseline->nodes.size(), 2U);
    EXPECT_NE(baseline->nodes[0], "");
    EXPECT_NE(baseline->nodes[0], baseline->nodes[1]);
    ASSERT_EQ(baseline->within.size(), 1U);
    EXPECT_NE(baseline->within[0].node, "");
}

// Each repetition is a job, whose nodes compute by themselves though srun started all of them.
TEST_F(Slurm, NodesOfAJobAreMeasuredByThemselves) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        GTEST_SKIP() << "this build has no worker";
    }
    const Ended ended = lab.dlperf({"bench", "compute", cluster(2).string(), "--repetitions", "1",
                                    "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto baseline = cluster::readComputeBaseline(lab.workspace.computeBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    ASSERT_EQ(baseline->nodes.size(), 2U);
    EXPECT_NE(baseline->nodes[0].node, baseline->nodes[1].node);
    for (const cluster::NodeCompute& node : baseline->nodes) {
        EXPECT_EQ(node.throughputs.size(), 1U) << node.node;
        EXPECT_EQ(node.batchSize, 4);
    }
}

TEST_F(Slurm, SrunGivesEachProcessItsRank) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        GTEST_SKIP() << "this build has no worker";
    }
    for (const std::string topology : {"1n2g", "2n1g", "2n2g"}) {
        const Ended ended = lab.dlperf(byLauncher(lab, cluster(3), "srun", {topology}, 6));
        EXPECT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
        const RunState run = lab.runs().front();
        EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
        EXPECT_THAT(
            lab.log(run),
            HasSubstr("# world_size: " + std::to_string(run.benchmarkCase.topology.worldSize()) + "\n"));
        EXPECT_THAT(iterationsOf(lab.log(run)), testing::SizeIs(6)) << "one process prints";
    }
    EXPECT_TRUE(lab.trainers().empty());
}

// The job's nodes all stand on this machine, so that they need no SSH. By srun these would start nothing: our
// step holds the nodes, and neither knows localhost.
TEST_F(Slurm, LaunchersOfMpiStartWithoutSrun) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        return;  // as in the build for ThreadSanitizer
    }
    const auto nodes = cluster(2, {{"jobs", "campaign"}});
    for (const char* launcher : {"mpirun", "mpiexec.hydra"}) {
        const Ended ended = lab.dlperf(byLauncher(lab, nodes, launcher, {"1n2g", "2n1g"}, 6));
        EXPECT_EQ(ended.exitCode, 0) << launcher << ": " << ended.errors << ended.output;
        EXPECT_EQ(lab.runs().size(), 2U);
        for (const RunState& run : lab.runs()) {
            EXPECT_EQ(run.outcome, Outcome::Ok) << launcher << ": " << run.reason;
            EXPECT_THAT(lab.log(run), HasSubstr("# world_size: 2\n"));
        }
    }
    EXPECT_TRUE(lab.trainers().empty());
}

TEST_F(Slurm, SrunLeavesNothingWhenItIsCancelledAndNamesWhoFailedFirst) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        GTEST_SKIP() << "this build has no worker";
    }
    const pid_t cancelled = lab.start(byLauncher(lab, cluster(2), "srun", {"2n1g"}, 100'000));
    ASSERT_TRUE(lab.waitForLog(0, 600));
    EXPECT_GE(lab.trainers().size(), 3U) << "srun and two workers";
    ::kill(cancelled, SIGINT);
    (void)lab.wait(cancelled);
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Cancelled);
    EXPECT_TRUE(lab.trainers().empty());
    const pid_t failing = lab.start(byLauncher(lab, cluster(2), "srun", {"2n1g"}, 100'000));
    ASSERT_TRUE(lab.waitForLog(0, 600));
    for (const pid_t trainer : lab.trainers()) {
        const std::string of = "/proc/" + std::to_string(trainer);
        if (slurp(of + "/comm").starts_with("dlperf-worker") &&
            slurp(of + "/environ").find("SLURM_PROCID=1") != std::string::npos) {
            ::kill(trainer, SIGKILL);
        }
    }
    const Ended ended = lab.wait(failing);
    EXPECT_EQ(lab.runs().front().outcome, Outcome::Failed);
    EXPECT_THAT(ended.errors + ended.output, HasSubstr("number 1 was the first to fail"));
    EXPECT_TRUE(lab.trainers().empty());
}

TEST_F(Slurm, ARunGoesOnWithoutSlurmctld) {
    const auto arguments =
        runOn(cluster(2), lab.plan({{"seconds", "0.2"}}, {{"topologies", {"2n1g"}}, {"train", 40}}));
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    slurm->stopController();
    ASSERT_TRUE(lab.waitForLog(0, 2500));
    slurm->startController();
    const Ended ended = lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(lab.runs().front().throughput, 32.0);
}

TEST_F(Slurm, ADrainedNodeFinishesItsRun) {
    const auto arguments = runOn(cluster(2), lab.plan({{"seconds", "0.2"}}, {{"topologies", {"2n1g"}}}));
    const pid_t runner = lab.start(arguments);
    ASSERT_TRUE(lab.waitForLog(0));
    slurm->tell("scontrol update nodename=c1 state=drain reason=test");
    const Ended ended = lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(lab.runs().front().throughput, 32.0);
}

// What Slurm does to the job of an endless run, and what is said of that.
struct Fault {
    std::string name;
    std::string command;  // $job, $node: of the run
    Outcome outcome;
    std::string said;
};

class SlurmFault : public Slurm, public testing::WithParamInterface<Fault> {};

TEST_P(SlurmFault, EndsTheRunAndIsNamed) {
    const pid_t runner = startEndless();
    const std::string number = job();
    const std::string printed =
        ask("job=" + number + "; node=" + lab.runs().front().nodes.back() + "; " + GetParam().command);
    const Ended ended = lab.wait(runner);
    EXPECT_EQ(ended.exitCode, 1) << printed << ended.errors;
    const RunState run = lab.runs().front();
    EXPECT_EQ(run.outcome, GetParam().outcome) << run.reason;
    EXPECT_THAT(run.reason, HasSubstr("Slurm job " + number + " " + GetParam().said));
    EXPECT_FALSE(run.throughput);
    EXPECT_TRUE(lab.trainers().empty());
    slurm->tell("scancel -u $(id -un)");
    EXPECT_TRUE(eventually([&] { return ask("squeue -h").empty(); }));
}

INSTANTIATE_TEST_SUITE_P(
    All, SlurmFault,
    testing::Values(Fault{"Cancelled", "scancel $job", Outcome::Cancelled, "was cancelled by somebody else"},
                    Fault{"TimeLimit", "scontrol update job $job EndTime=now+2", Outcome::Failed,
                          "reached its time limit"},
                    Fault{"NodeLost", "scontrol update nodename=$node state=down reason=test",
                          Outcome::Failed, "lost a node"},
                    Fault{"Preempted", "sbatch -o /dev/null -p urgent -N3 --exclusive --wrap 'sleep 600'",
                          Outcome::Failed, "was preempted by another job"}),
    [](const auto& fault) { return fault.param.name; });

// The setup of the node, looked at before the run, has its job ended: from then on the login node answers.
TEST_F(Slurm, ARunWhoseJobEndsWhileItIsPreparedStartsNothing) {
    const auto nodes = cluster(1);
    Json json = Json::parse(slurp(nodes));
    json["node"]["setup"] = "[ -z \"$SLURM_JOB_ID\" ] || { scancel \"$SLURM_JOB_ID\"; sleep 60; }";
    std::ofstream(nodes) << json.dump();
    const Ended ended = lab.dlperf(runOn(nodes, lab.plan({}, {{"recipes", {"toy-python"}}})));
    EXPECT_EQ(ended.exitCode, 1) << ended.output;
    const RunState run = lab.runs().front();
    EXPECT_EQ(run.outcome, Outcome::Cancelled) << run.reason;
    EXPECT_THAT(run.reason, HasSubstr("was cancelled by somebody else"));
    EXPECT_EQ(lab.log(run), "") << "a trainer was started on the login node";
    EXPECT_TRUE(lab.trainers().empty());
}

// Some minutes after its end slurmctld knows no more of a job than of one that never was.
TEST_F(Slurm, ForAJobThatSlurmHasForgottenTheLoginNodeAnswers) {
    const auto folder = lab.root / "shared/jobs/forgotten";
    std::filesystem::create_directories(folder);
    remote::JobTransport node("c1", std::make_shared<remote::LocalTransport>("login"),
                              {nullptr, "4711", folder.string(), 0});
    const auto answer = node.run({"echo here", {}}, {std::chrono::seconds(20), {}});
    std::filesystem::remove_all(lab.root / "shared/jobs");
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_EQ(answer->output, "here\n");
    remote::Command trainer{"echo started", {}};
    trainer.begins = true;
    const auto refused = node.run(trainer, {});
    ASSERT_FALSE(refused) << "it begins nothing in the node's place";
    EXPECT_THAT(refused.error().what, HasSubstr("Slurm job 4711 has ended"));
}

TEST_F(Slurm, WhatSlurmRefusesIsSaidBeforeAnythingBegins) {
    const Ended ended = lab.dlperf(runOn(cluster(1, {{"partition", "nowhere"}}), lab.plan()));
    EXPECT_NE(ended.exitCode, 0);
    EXPECT_THAT(ended.errors,
                AllOf(HasSubstr("invalid partition specified: nowhere"), HasSubstr("Check \"slurm\"")));
    EXPECT_TRUE(lab.status().empty());
    EXPECT_EQ(lab.dlperf({"check", cluster(4).string()}).exitCode, 1) << "there are three nodes";
    EXPECT_FALSE(std::filesystem::exists(lab.root / "shared/jobs")) << "nothing was submitted";
}

TEST_F(Slurm, AJobThatWouldWaitForEverEndsTheRun) {
    const Ended ended =
        lab.dlperf(runOn(cluster(1, {{"time_limit", "2:00:00"}}), lab.plan()));  // of one hour
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(lab.runs().front().reason, HasSubstr("would wait for ever: PartitionTimeLimit"));
}

TEST_F(Slurm, ChecksAreAnsweredByTheNodesOfAJobOfTheirOwn) {
    const std::string other = slurm->occupy();
    const pid_t check = lab.start({"check", cluster(2).string()});
    ASSERT_TRUE(eventually([&] { return ask("squeue -h -t PD -o %k").starts_with("dlperf:check-"); }));
    slurm->tell("scancel " + other);
    const Ended ended = lab.wait(check);
    EXPECT_THAT(ended.errors, HasSubstr("waits"));
    EXPECT_THAT(ended.output, AllOf(HasSubstr("by Slurm job "), HasSubstr("2 of 2 nodes reached")));
    // Whichever two were free first.
    const auto answers =
        std::ranges::count_if(std::array{"c1  of", "c2  of", "c3  of"},
                              [&](const char* node) { return ended.output.find(node) != std::string::npos; });
    EXPECT_EQ(answers, 2);
}

// Its nodes are known only then. All of them stand on this machine and have its interfaces.
TEST_F(Slurm, InterfacesThatAPlanNamesAreTriedWithinTheJob) {
    const auto runOver = [&](const std::string& interfaces) {
        const Json env{{"DLPERF_INTERFACE", interfaces}};
        return lab.dlperf(runOn(cluster(2), lab.plan({}, {{"topologies", {"1n1g", "2n1g"}}, {"env", env}})));
    };
    EXPECT_EQ(runOver("nosuch0,lo").exitCode, 1);
    auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].outcome, Outcome::Ok) << "one node needs no network";
    EXPECT_EQ(runs[1].outcome, Outcome::Failed);
    EXPECT_THAT(runs[1].reason,
                testing::ContainsRegex("way over nosuch0: is not up with an address on c[1-3], c[1-3]: "
                                       "Device \"nosuch0\" does not exist."));
    EXPECT_EQ(runOver("lo").exitCode, 0);
    runs = lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].outcome, Outcome::Ok) << runs[1].reason;
}

Json askedThrough(const test::Sshd& sshd) {
    Json asked{{"partition", "main"}, {"login", cluster::toJson(sshd.node())}};
    asked["login"].erase("name");
    return asked;
}

TEST_F(Slurm, TheLoginNodeMayBeReachedOverSsh) {
    test::Sshd sshd("SetEnv SLURM_CONF=" + lab.environment["SLURM_CONF"] + "\n");
    const Ended ended =
        lab.dlperf(runOn(cluster(2, askedThrough(sshd)), lab.plan({}, {{"topologies", {"2n1g"}}})));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    ASSERT_FALSE(lab.runs().empty());
    EXPECT_EQ(lab.runs().front().throughput, 32.0);
}

// By a pretended apptainer. Each of login, job and image quotes the scripts once more.
TEST_F(Slurm, AnImageInAJobIsReachedThroughALoginOverSsh) {
    const auto program = lab.root / "apptainer";
    std::ofstream(program)
        << "#!/bin/sh\nuntil [ \"$1\" = docker://pt:1 ]; do shift; done\nshift\nexec \"$@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    test::Sshd sshd("SetEnv SLURM_CONF=" + lab.environment["SLURM_CONF"] + " PATH=" + lab.root.string() +
                    ":/usr/bin:/bin\n");
    const Json image{{"image", "docker://pt:1"},
                     {"runtime", "apptainer"},
                     {"env", {{"NCCL_DEBUG", "INFO"}, {"NCCL_SOCKET_IFNAME", "lo"}, {"OWN", "it's own"}}},
                     {"setup", "PS1='$ '; eval \"$(echo 'true')\""}};
    const auto nodes = cluster(1, askedThrough(sshd), image);
    const Ended checked = lab.dlperf({"check", nodes.string()});
    EXPECT_EQ(checked.exitCode, 0) << checked.errors << checked.output;
    const Ended ended =
        lab.dlperf(runOn(nodes, lab.plan({}, {{"topologies", {"1n1g"}}, {"recipes", {"toy-python"}}})));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    ASSERT_FALSE(lab.runs().empty());
    EXPECT_EQ(lab.runs().front().throughput, 16.0) << lab.runs().front().reason;
}

}  // namespace
}  // namespace dlperf::run
