// SPDX-License-Identifier: Apache-2.0
// The runner's parts, each alone: identity, lock, requests, verdicts, devices, scripts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "core/base/node_script.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/cluster/link_checks.h"
#include "core/remote/local_transport.h"
#include "core/run/control.h"
#include "core/run/lock.h"
#include "core/run/machine_findings.h"
#include "core/run/node_log.h"
#include "core/run/node_scripts.h"
#include "core/run/outcome.h"
#include "core/run/requests.h"
#include "core/run/resolve_nodes.h"
#include "core/run/versions.h"
#include "core/run/work_on_nodes.h"
#include "tests/support/folder.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

using cluster::freePortScript;
using cluster::PortFiles;
using testing::HasSubstr;

TEST(Identity, FieldsCountFromTheLastParenthesis) {
    const std::string stat =
        "42 (a) R 1 ) name) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200 "
        "18446744073709551615\n";
    const auto state = parseProcessState(stat);
    ASSERT_TRUE(state);
    EXPECT_EQ(state->state, 'S');
    EXPECT_EQ(state->start, 98765U);
    const Identity identity{"boot", 42, 98765};
    EXPECT_TRUE(isAlive(identity, "boot\n", stat));
    EXPECT_FALSE(isAlive(identity, "other boot\n", stat));
    EXPECT_FALSE(isAlive({"boot", 42, 98766}, "boot\n", stat)) << "the pid was given to another process";
    EXPECT_FALSE(isAlive(identity, "boot\n", ""));
}

TEST(Identity, AZombieIsDead) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(0);
    }
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);  // it ended, and is not reaped
    EXPECT_EQ(::kill(child, 0), 0) << "kill says that it lives";
    Identity identity = *ownIdentity();
    EXPECT_TRUE(isAliveHere(identity));
    std::ifstream stream("/proc/" + std::to_string(child) + "/stat");
    const std::string stat{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_FALSE(isAlive({identity.boot, child, parseProcessState(stat)->start}, identity.boot, stat));
    ::waitpid(child, nullptr, 0);
}

TEST(Identity, WhatIsNoIdentityIsNone) {
    for (const char* line :
         {"", "12 34", "x 34 boot", "12 x boot", "1 2 boot", "-5 2 boot", "12 34 boot more"}) {
        EXPECT_FALSE(parseIdentity(line)) << line;
    }
    EXPECT_EQ(parseIdentity("12 34 boot\n"), (Identity{"boot", 12, 34}));
}

TEST(Lock, ADeadOwnersLockIsTakenOver) {
    const test::Folder folder;
    const auto workspace = *store::Workspace::open(folder.path());
    std::ofstream(workspace.lockFile()) << R"({"host":")"
                                        << "nobody-here"
                                        << R"(","boot":"b","pid":5,"start":6,"campaign":"c"})";
    const auto elsewhere = WorkspaceLock::take(workspace);
    ASSERT_FALSE(elsewhere) << "a runner on another host cannot be checked";
    EXPECT_THAT(elsewhere.error().what, HasSubstr("nobody-here"));
    std::filesystem::remove(workspace.lockFile());
    {
        const auto lock = WorkspaceLock::take(workspace);
        ASSERT_TRUE(lock);
        EXPECT_TRUE(isHeld(*readLock(workspace)));
        EXPECT_FALSE(WorkspaceLock::take(workspace));
    }
    EXPECT_FALSE(readLock(workspace)) << "given back";
    const pid_t child = ::fork();
    if (child == 0) {
        const auto lock = WorkspaceLock::take(workspace);
        ::_exit(lock ? 0 : 1);  // without giving it back
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(readLock(workspace));
    EXPECT_TRUE(WorkspaceLock::take(workspace));
}

TEST(Lock, AFileThatIsNoLockDoesNotHold) {
    const test::Folder folder;
    const auto workspace = *store::Workspace::open(folder.path());
    std::ofstream(workspace.lockFile()) << "torn {";
    EXPECT_TRUE(WorkspaceLock::take(workspace));
}

TEST(Requests, AreTakenOnceAndInOrder) {
    const test::Folder folder;
    const auto workspace = *store::Workspace::open(folder.path());
    EXPECT_TRUE(takeRequests(workspace).requests.empty());
    EXPECT_TRUE(writeRequest(workspace, Request::Pause));
    EXPECT_TRUE(writeRequest(workspace, Request::CancelRun, "c/0001"));
    EXPECT_TRUE(writeRequest(workspace, Request::KeepRun, "c/0002", {"c/0003", "d/0001"}));
    EXPECT_TRUE(writeRequest(workspace, Request::Continue));
    std::ofstream(workspace.requests() / "0.json") << "nonsense";
    std::ofstream(workspace.requests() / "1.json") << R"({"request": "explode"})";
    const auto taken = takeRequests(workspace).requests;
    ASSERT_EQ(taken.size(), 6U);
    EXPECT_EQ(taken[0].request, Request::Pause);
    EXPECT_EQ(taken[1].runId, "c/0001");
    EXPECT_EQ(taken[2].runId, "c/0002");
    EXPECT_EQ(taken[4].request, Request::KeepRun);
    EXPECT_EQ(taken[4].runId, "d/0001");
    EXPECT_EQ(taken[5].request, Request::Continue);
    EXPECT_TRUE(takeRequests(workspace).requests.empty());
}

// It would be obeyed by each runner to come.
TEST(Requests, ThatCannotBeRemovedAreNotTaken) {
    using std::filesystem::perms;
    const test::Folder folder;
    const auto workspace = *store::Workspace::open(folder.path());
    ASSERT_TRUE(writeRequest(workspace, Request::Cancel));
    std::filesystem::permissions(folder.path(), perms(0755));
    std::filesystem::permissions(workspace.requests(), perms(0555));
    const auto self = static_cast<uid_t>(::setfsuid(65534));  // root may write anywhere
    const TakenRequests taken = takeRequests(workspace);
    ::setfsuid(self);
    std::filesystem::permissions(workspace.requests(), perms(0755));
    EXPECT_TRUE(taken.requests.empty());
    ASSERT_TRUE(taken.stuck);
    EXPECT_THAT(describe(*taken.stuck), HasSubstr("the request cannot be removed"));
    EXPECT_EQ(takeRequests(workspace).requests.size(), 1U);
}

// As while a run is being closed: the thread that listens gets none of it.
TEST(Control, KnowsOfASignalThatCameAtTheEnd) {
    const test::Folder folder;
    const HeldSignals signals(false);
    Control control(*store::Workspace::open(folder.path()), signals);
    EXPECT_EQ(control.cancelledBy(), "");
    ASSERT_EQ(::raise(SIGTERM), 0);
    control.close();
    EXPECT_EQ(control.cancelledBy(), "SIGTERM");
}

// As of `dlperf bench`, which runs several campaigns.
TEST(HeldSignals, ThatComeBetweenTwoCampaignsAreKept) {
    const HeldSignals all(false);
    {
        const HeldSignals campaign(false);
        ASSERT_EQ(::raise(SIGTERM), 0);
    }
    EXPECT_STREQ(all.take(), "SIGTERM") << "late for the campaign";
    ASSERT_EQ(::raise(SIGTERM), 0);
    EXPECT_STREQ(all.take(), "SIGTERM");
    EXPECT_EQ(all.take(), nullptr);
}

// One node whose copy agrees with its log.
NodeEnd goodEnd() {
    NodeEnd end;
    end.node = "a";
    end.localBytes = 4;
    end.localSha256 = "same";
    end.remote = Collected{0, 4, "same", std::nullopt, {}};
    return end;
}

analysis::RunFigure figure(std::optional<double> value) {
    analysis::RunFigure result;
    result.value = value;
    result.lastIteration = 20;
    return result;
}

TEST(Verdict, ComesFromTheEndAndFromTheLogs) {
    const std::vector<NodeEnd> good{goodEnd()};
    const StopDecision ended{StopCause::TrainerEnded, {}};
    EXPECT_EQ(judge(ended, good, true, figure(1.0)).outcome, Outcome::Ok);
    EXPECT_EQ(judge(ended, good, false, figure({})).outcome, Outcome::Short);
    EXPECT_EQ(judge({StopCause::Measured, {}}, good, true, figure(1.0)).outcome, Outcome::Ok);
    EXPECT_EQ(judge({StopCause::Measured, {}}, good, true, figure({})).outcome, Outcome::Short);
    EXPECT_EQ(judge({StopCause::Cancelled, "by me"}, good, true, figure(1.0)).outcome, Outcome::Cancelled);
    EXPECT_EQ(judge({StopCause::TimedOut, "late"}, good, true, figure(1.0)).reason, "late");
}

TEST(Verdict, QuotesTheLastLineOfTheTrainerThatFailed) {
    std::vector<NodeEnd> nodes(2, goodEnd());
    nodes[0].lastLine = "the cause";
    nodes[1].node = "b";
    const StopDecision failed{StopCause::Failed, "node a: it died", "a"};
    EXPECT_EQ(judge(failed, nodes, false, figure({})).reason, "node a: it died, its last line: the cause");
    const StopDecision silent{StopCause::Failed, "node b: it died", "b"};
    EXPECT_EQ(judge(silent, nodes, false, figure({})).reason, "node b: it died");
}

TEST(Verdict, CallsThisMachineSo) {
    std::vector<NodeEnd> nodes{goodEnd()};
    nodes[0].node = "this";
    nodes[0].remote->exitCode = 3;
    const StopDecision ended{StopCause::TrainerEnded, {}};
    EXPECT_EQ(judge(ended, nodes, true, figure(1.0)).reason,
              "this machine: the trainer ended with exit code 3");
    nodes[0].remote->exitCode = 0;
    nodes[0].remote->sha256 = "other";
    EXPECT_EQ(judge(ended, nodes, true, figure(1.0)).reason,
              "the log of this machine differs from its copy here");
    nodes[0].processesLeft = {"12"};
    EXPECT_THAT(judge({StopCause::Cancelled, "by me"}, nodes, true, figure(1.0)).reason,
                HasSubstr("by me; this machine: process 12 is still running"));
}

TEST(Verdict, ACopyThatDiffersIsNoResult) {
    const StopDecision ended{StopCause::TrainerEnded, {}};
    std::vector<NodeEnd> nodes{goodEnd()};
    nodes[0].remote->sha256 = "other";
    EXPECT_THAT(judge(ended, nodes, true, figure(1.0)).reason, HasSubstr("differs"));
    nodes[0].remote->logBytes = 99;
    EXPECT_THAT(judge(ended, nodes, true, figure(1.0)).reason, HasSubstr("99 bytes there and 4 here"));
    nodes[0].remote.reset();
    nodes[0].trouble = "gone";
    EXPECT_THAT(judge({StopCause::Measured, {}}, nodes, true, figure(1.0)).reason, HasSubstr("gone"));
}

TEST(Verdict, WhatIsLeftRunningIsToldWhateverTheOutcome) {
    std::vector<NodeEnd> nodes(2, goodEnd());
    nodes[1].node = "b";
    nodes[1].processesLeft = {"12", "13"};
    const auto judged = [&](StopCause cause, const char* reason) {
        return judge({cause, reason}, nodes, true, figure(1.0));
    };
    EXPECT_EQ(judged(StopCause::TrainerEnded, "").outcome, Outcome::Failed);
    EXPECT_EQ(judged(StopCause::Measured, "").reason, "node b: processes 12, 13 are still running");
    EXPECT_EQ(judged(StopCause::Cancelled, "by me").outcome, Outcome::Cancelled);
    EXPECT_EQ(judged(StopCause::Cancelled, "by me").reason,
              "by me; node b: processes 12, 13 are still running");
    nodes[1].processesLeft = {"12"};
    nodes[0].stopTrouble = "not reached";
    EXPECT_EQ(judged(StopCause::TimedOut, "late").reason,
              "late; node a could not be stopped: not reached; node b: process 12 is still running");
}

TEST(Verdict, GpuProcessesAreAWarningForTheyMayBeSomebodyElses) {
    std::vector<NodeEnd> nodes{goodEnd()};
    nodes[0].gpuProcessesLeft = {"77"};
    const Verdict ok = judge({StopCause::TrainerEnded, {}}, nodes, true, figure(1.0));
    EXPECT_EQ(ok.outcome, Outcome::Ok);
    EXPECT_EQ(ok.reason, "");
    EXPECT_THAT(gpuWarning(nodes[0]), HasSubstr("node a: GPU process 77 was not there before"));
    EXPECT_THAT(judge({StopCause::Cancelled, "by me"}, nodes, true, figure(1.0)).reason,
                HasSubstr("by me; node a: GPU process 77"));
}

TEST(Verdict, OnlyARuleThatSaysSoMeansThatMemoryRanOut) {
    std::vector<NodeEnd> nodes(2, goodEnd());
    nodes[1].node = "b";
    nodes[1].hints.resize(2);
    const StopDecision failed{StopCause::Failed, "node b: it died", "b"};
    EXPECT_EQ(judge(failed, nodes, false, figure({})).outcome, Outcome::Failed);
    nodes[1].hints[1].outOfMemory = true;
    EXPECT_EQ(judge(failed, nodes, false, figure({})).outcome, Outcome::Oom);
    EXPECT_EQ(judge(failed, nodes, false, figure({})).reason, "node b: memory ran out");
    EXPECT_EQ(judge({StopCause::Measured, {}}, nodes, true, figure(1.0)).outcome, Outcome::Ok);
}

TEST(Verdict, AKilledTrainerRanOutOfMemoryWhereTheKernelSaysSo) {
    std::vector<NodeEnd> nodes{goodEnd()};
    const StopDecision ended{StopCause::TrainerEnded, {}};
    const auto outcome = [&](int exitCode, std::uint64_t kills, const StopDecision& stop) {
        nodes[0].remote->exitCode = exitCode;
        nodes[0].remote->oomKills = kills;
        return judge(stop, nodes, false, figure({})).outcome;
    };
    EXPECT_EQ(outcome(137, 1, ended), Outcome::Oom);
    EXPECT_EQ(outcome(137, 0, ended), Outcome::Failed) << "somebody killed it";
    EXPECT_EQ(outcome(1, 1, ended), Outcome::Failed) << "the kernel killed somebody else";
    EXPECT_EQ(outcome(137, 1, {StopCause::Failed, "node a: it was killed", "a"}), Outcome::Oom);
    EXPECT_EQ(outcome(137, 1, {StopCause::TimedOut, "late"}), Outcome::Failed) << "we killed it";
    EXPECT_EQ(outcome(137, 1, {StopCause::Failed, "its log cannot be kept"}), Outcome::Failed) << "so we did";
    EXPECT_EQ(outcome(0, 1, {StopCause::Measured, {}}), Outcome::Short);
    nodes[0].hints.resize(1);
    nodes[0].hints[0].rule = "host-memory";  // a launcher that ends with a code of its own
    EXPECT_EQ(outcome(1, 1, ended), Outcome::Oom);
    EXPECT_EQ(outcome(1, 0, ended), Outcome::Failed);
}

class FollowedLog : public testing::Test {
protected:
    FollowedLog() {
        run_.format = "dlperf-worker";
        run_.nodes = {"a"};
        run_.benchmarkCase.configuration.batchSize = 8;
        run_.range = {2, 20};
    }

    // What is read of a log that holds this, in blocks of so many bytes.
    LogFollower followed(const std::string& text, std::uint64_t block = 1U << 20U) {
        std::ofstream(folder_.path() / "node0.log", std::ios::binary) << text;
        LogFollower log(run_, 0, folder_.path(), *diagnosis::readRules());
        while (log.advance(block)) {
        }
        log.finish();
        return log;
    }

    bool ranOutOfMemory(const std::string& text, std::uint64_t block = 1U << 20U) {
        const LogFollower log = followed(text, block);
        return std::any_of(log.hints().begin(), log.hints().end(),
                           [](const diagnosis::Hint& hint) { return hint.outOfMemory; });
    }

    test::Folder folder_;
    RunState run_;
};

TEST_F(FollowedLog, SaysThatMemoryRanOut) {
    for (const char* text :
         {"CUDA error: out of memory", "Out of memory error on GPU 0", "RESOURCE_EXHAUSTED: OOM",
          "what():  std::bad_alloc", "torch.cuda.OutOfMemoryError",
          "dlperf-worker: rank 1: out of memory; use a smaller --batch-size",
          "dlperf-worker: CUDA cannot allocate: out of memory"}) {
        for (const std::size_t before : {0U, 65530U, 65536U, 131060U}) {
            EXPECT_TRUE(ranOutOfMemory(std::string(before, 'x') + "\n" + text + "\nend", 65536))
                << text << " after " << before;
        }
    }
}

TEST_F(FollowedLog, MayMentionMemoryThatNeverRanOut) {
    for (const char* text :
         {"memory is fine, room is out", "prefetching stops before the host is out of memory",
          "WARNING: if you see out of memory errors, reduce the batch size", "launch.sh: line 12: Killed"}) {
        EXPECT_FALSE(ranOutOfMemory(text + std::string("\n"))) << text;
    }
}

TEST_F(FollowedLog, HasACleanAndBoundedLastLine) {
    EXPECT_EQ(followed("").lastLine(), "");
    EXPECT_EQ(followed("first\nlast \xFF\r\n\n \n").lastLine(), "last \xEF\xBF\xBD");
    EXPECT_EQ(followed(std::string(1 << 20, 'y')).lastLine().size(), 200U);
    const std::string echo = "dlperf-worker: rank 1 (process 7) ended with exit code 7; ending the others\n";
    EXPECT_EQ(followed("# header\ndlperf-worker: rank 1: the cause\n" + echo).lastLine(),
              "dlperf-worker: rank 1: the cause")
        << "not that it ended, which is known";
    EXPECT_EQ(followed(echo).lastLine() + "\n", echo) << "better than nothing";
    EXPECT_EQ(describeExit(3), "exit code 3");
    EXPECT_EQ(describeExit(137), "SIGKILL (exit code 137)");
}

TEST_F(FollowedLog, HasTheChecksumOfWhatWasRead) {
    std::ofstream(folder_.path() / "node0.log") << "one\n";
    LogFollower log(run_, 0, folder_.path(), {});
    EXPECT_FALSE(log.advance(100));
    std::ofstream(folder_.path() / "node0.log", std::ios::app) << "two\n";
    log.finish();
    EXPECT_EQ(log.bytesRead(), 8U);
    EXPECT_EQ(log.sha256(), "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8");
}

TEST(Scripts, AreShellWhateverTheyAreAbout) {
    const test::Folder folder;
    remote::LocalTransport here("here");
    const std::string odd = "it's \"odd\" $(false) `x`\n; exit 9 #";
    const std::vector<std::string> scripts{
        claimScript(odd, "c/1", "a"),        freePortScript(7),
        startScript(odd, "c/1", "a"),        refreshScript(odd, "c/1", "a"),
        signalScript(odd, "c/1", "0", true), collectScript(odd),
        releaseScript(odd, "c/1", "a"),      exportLines({{"A", odd}})};
    for (const std::string& script : scripts) {
        const auto checked = here.run({"exec sh -n /dev/stdin", script}, {});
        ASSERT_TRUE(checked);
        EXPECT_EQ(checked->exitCode, 0) << checked->errors << script;
    }
    for (const std::string& script :
         {std::string(node_script::run), factsText({"torch"}), std::string(node_script::versions),
          std::string(node_script::telemetry)}) {
        const auto checked = here.run({"exec bash -n /dev/stdin", script}, {});
        ASSERT_TRUE(checked);
        EXPECT_EQ(checked->exitCode, 0) << checked->errors << script;
    }
}

// As the worker reads the same files, tests/worker/processors_test.cpp.
TEST(CpuQuota, IsTheLowestOfTheGroupsAroundAProcess) {
    const test::Folder folder;
    remote::LocalTransport here("here");
    const auto quota = [&](const std::string& groups) {
        folder.write("own", groups + "\n");
        const auto said =
            here.run({"cgroups=" + folder.path().string() + "/cgroup own_groups=" + folder.path().string() +
                          "/own\n" + std::string(node_script::cpu_quota) + "cpu_quota",
                      {}},
                     {});
        return said ? said->output + said->errors : "not run";
    };
    std::filesystem::create_directories(folder.path() / "cgroup/a/b");
    std::filesystem::create_directories(folder.path() / "cgroup/cpu/job/step");
    EXPECT_EQ(quota("0::/a/b"), "");
    folder.write("cgroup/a/b/cpu.max", "max 100000\n");
    EXPECT_EQ(quota("0::/a/b"), "");
    folder.write("cgroup/a/cpu.max", "250000 100000\n");
    EXPECT_EQ(quota("0::/a/b"), "2.50\n");
    folder.write("cgroup/a/b/cpu.max", "40000 50000\n");
    EXPECT_EQ(quota("0::/a/b"), "0.80\n");
    EXPECT_EQ(quota("0::/"), "");
    folder.write("cgroup/cpu/job/cpu.cfs_quota_us", "1600000\n");
    folder.write("cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    folder.write("cgroup/cpu/job/step/cpu.cfs_quota_us", "-1\n");
    folder.write("cgroup/cpu/job/step/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota("7:memory:/a\n4:cpu,cpuacct:/job/step"), "16.00\n");
    folder.write("cgroup/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota("0::/docker/4711"), "1.00\n") << "a container does not see the groups around it";
    folder.write("cgroup/cpu.max", "$(reboot) 100000\n");
    EXPECT_EQ(quota("0::/docker/4711"), "");
}

TEST(CpuQuota, IsWarnedOfWhereItHoldsBack) {
    const NodeEnd held{.node = "a", .facts = "system=Linux\ncpu_quota=2.50 of 16\n"};
    NodeEnd other = held;
    other.node = "b";
    const std::string warning = "a CPU quota allows the time of 2.50 of 16 cores";
    EXPECT_EQ(quotaFindings({held}), (std::vector<RunFinding>{{"cpu-quota", warning, "node a"}}));
    EXPECT_EQ(quotaFindings({held, other}), (std::vector<RunFinding>{{"cpu-quota", warning, "nodes a, b"}}));
    for (const char* facts : {"cpu_quota=16.00 of 16", "cpu_quota=31.50 of 32", "cpu_quota=none",
                              "cpu_quota=many of 16\ncpu_quota=\ncpu=2, 3 cores"}) {
        EXPECT_TRUE(quotaFindings({{.node = "a", .facts = facts}}).empty()) << facts;
    }
}

TEST(MachineFindings, NameNodesThatAreOneMachine) {
    const std::vector<NodeEnd> nodes{{.node = "a", .facts = "machine=1\n"},
                                     {.node = "b", .facts = "machine=2\n"},
                                     {.node = "c", .facts = "system=Linux\nmachine=1\n"},
                                     {.node = "d", .facts = "machine=\n"},
                                     {.node = "e"}};
    EXPECT_EQ(machineFindings(nodes),
              (std::vector<RunFinding>{{"one-machine", "nodes a, c are one machine", ""}}));
}

TEST(MachineFindings, TheFactsTellMachinesApart) {
    remote::LocalTransport here("here");
    const auto said = here.run({"exec bash -s", factsText({})}, {});
    ASSERT_TRUE(said);
    const auto at = said->output.find("\nmachine=");
    ASSERT_NE(at, std::string::npos) << said->output << said->errors;
    const std::vector<NodeEnd> nodes{{.node = "a", .facts = said->output},
                                     {.node = "b", .facts = said->output}};
    EXPECT_EQ(machineFindings(nodes).size(), 1U);
    EXPECT_EQ(said->output.find('\n', at + 1) - at, std::string("\nmachine=").size() + 12U);
}

TEST(ThreadFindings, CountTheThreadsOfAllProcessesOfAMachine) {
    launch::PlannedRun run;
    run.benchmarkCase.topology = {2, 2};
    for (const char* node : {"a", "b"}) {
        run.nodes.push_back({.node = node, .environment = {{"DLPERF_OPT_THREADS", "2"}}});
    }
    const auto found = [&](const std::string& a, const std::string& b) {
        const auto findings = threadFindings(run, {{.node = "a", .facts = a}, {.node = "b", .facts = b}});
        return findings.empty() ? std::string() : findings.front().what;
    };
    const std::string four = "cpu=AMD EPYC 7763, 4 cores\n";
    EXPECT_EQ(found(four, four), "") << "each has four";
    EXPECT_EQ(found(four + "machine=1", four + "machine=1"),
              "8 threads compute on the 4 cores of nodes a, b");
    EXPECT_EQ(found("cpu=Xeon, 2 cores\n", four), "4 threads compute on the 2 cores of node a");
    EXPECT_EQ(found("cpu=Xeon\n", "cpu=, many cores"), "") << "nobody knows the cores";
    const std::string withGpu = "cpu=Xeon, 2 cores\ngpu=0, H200, 570\n";
    EXPECT_EQ(found(withGpu, four), "") << "processes wait for the GPU";
    run.benchmarkCase.configuration.variant["backend"] = "cpu";
    EXPECT_EQ(found(withGpu, four), "4 threads compute on the 2 cores of node a");
}

// One node's work folder, and scripts run there.
class NodeLocks : public testing::Test {
protected:
    Result<remote::CommandResult> run(const std::string& script) { return here_.run({script, {}}, {}); }
    int claim(const std::string& id) { return run(claimScript(work_, id, "a"))->exitCode; }
    void age(const std::string& when = "2 minutes ago") {
        EXPECT_EQ(run("find " + work_ + " -exec touch -d '" + when + "' {} +")->exitCode, 0);
    }

    // Other tests run at the same time: a lock looks for processes of its run on the whole machine.
    std::string one_ = fmt::format("c{}/0001", ::getpid());
    std::string two_ = fmt::format("c{}/0002", ::getpid());
    test::Folder folder_;
    std::string work_ = (folder_.path() / "work").string();
    remote::LocalTransport here_{"here"};
};

TEST_F(NodeLocks, ALockWithoutIdentityHoldsWhileAProcessOfTheRunLives) {
    ASSERT_EQ(claim(one_), 0);
    ASSERT_EQ(run("DLPERF_RUN_ID=" + one_ + " setsid sleep 100 & echo $! >" + work_ + "/pid")->exitCode, 0);
    age();
    EXPECT_EQ(claim(two_), nodeBusy) << "another node's launcher started that process here";
    ASSERT_EQ(run(signalScript(work_ + "/runs/" + one_ + "/a", one_, "KILL", false))->exitCode, 0);
    ASSERT_EQ(run("while kill -0 $(cat " + work_ + "/pid) 2>/dev/null && ! grep -q '^State:.Z' /proc/$(cat " +
                  work_ + "/pid)/status; do sleep 0.05; done")
                  ->exitCode,
              0);
    EXPECT_EQ(claim(two_), 0);
}

TEST_F(NodeLocks, ARefreshedLockHolds) {
    ASSERT_EQ(claim(one_), 0);
    age();
    ASSERT_EQ(run(refreshScript(work_, one_, "a"))->exitCode, 0);
    EXPECT_EQ(claim(two_), nodeBusy);
    age();
    EXPECT_EQ(claim(two_), 0);
    const auto late = run(refreshScript(work_, one_, "a"));
    EXPECT_EQ(late->exitCode, lockLost);
    EXPECT_EQ(late->output, two_ + "\n");
}

TEST_F(NodeLocks, ALockFromTheFutureDoesNotHoldForEver) {
    ASSERT_EQ(claim(one_), 0);
    age("next year");
    EXPECT_THAT(parseWork(run(listWorkScript(work_))->output).runs,
                testing::Contains(testing::AllOf(testing::Field(&WorkOnNode::run, one_),
                                                 testing::Property(&WorkOnNode::hasRunner, false))));
    EXPECT_EQ(claim(two_), 0);
    age("30 seconds");
    EXPECT_EQ(claim(one_), nodeBusy) << "clocks differ by a little";
    EXPECT_THAT(run("ls " + work_ + "/locks")->output, "a\n");
}

TEST(Scripts, WhatTheProgramPutIntoARunsFolderIsRemoved) {
    const test::Folder folder;
    for (const char* file : {"oom_kills", "identity.new", "launch.sh", "exit"}) {
        folder.write(std::string("runs/c/1/a/") + file, "1\n");
    }
    folder.write("runs/kept", "");
    remote::LocalTransport here("here");
    ASSERT_EQ(here.run({removeScript((folder.path() / "runs/c/1/a").string()), {}}, {})->exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs/c"));
}

// Of a number of nodes that share a disk, at the same time: how many could run the script.
int countGood(const std::string& script) {
    std::atomic<int> good = 0;
    std::vector<std::jthread> nodes;
    for (int i = 0; i < 8; ++i) {
        nodes.emplace_back([&] {
            remote::LocalTransport here("here");
            good += here.run({script, {}}, {})->exitCode == 0 ? 1 : 0;
        });
    }
    nodes.clear();
    return good;
}

TEST(SharedDisk, PartsAreJoinedByAllOfItsNodes) {
    const test::Folder folder;
    Sha256 sum;
    for (const int part : {0, 1, 2}) {
        const std::string bytes(3'000'000, static_cast<char>('a' + part));
        folder.write(fmt::format("file.part{}", part), bytes);
        sum.add(bytes);
    }
    const auto file = folder.path() / "file";
    EXPECT_EQ(countGood(joinScript(file.string(), 3, sum.digits())), 8);
    EXPECT_EQ(std::filesystem::file_size(file), 9'000'000U);
    EXPECT_FALSE(std::filesystem::exists(file.string() + ".part0"));
}

TEST(SharedDisk, ACheckoutIsUnpackedByAllOfItsNodes) {
    const test::Folder folder;
    for (int file = 0; file < 300; ++file) {
        folder.write(fmt::format("tree/{}", file), std::string(10'000, 'x'));
    }
    const std::string cache = shellQuote((folder.path() / "work/cache/source").string());
    const std::string script =
        node_script::set("work", (folder.path() / "work").string()) + node_script::set("commit", "c0ffee");
    remote::LocalTransport here("here");
    ASSERT_EQ(here.run({"mkdir -p " + cache + " && tar -czf " + cache + "/c0ffee.tar.gz -C " +
                            shellQuote((folder.path() / "tree").string()) + " .",
                        {}},
                       {})
                  ->exitCode,
              0);
    EXPECT_EQ(countGood(script + std::string(node_script::unpack_source)), 8);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "work/cache/source/c0ffee/299"));
    EXPECT_EQ(here.run({"ls " + cache, {}}, {})->output, "c0ffee\nc0ffee.complete\nc0ffee.tar.gz.lock\n");
}

TEST_F(NodeLocks, ALockThatWasRemovedByHandIsTakenAgain) {
    ASSERT_EQ(claim(one_), 0);
    std::filesystem::remove_all(work_ + "/locks/a");
    ASSERT_EQ(run(refreshScript(work_, one_, "a"))->exitCode, 0);
    EXPECT_EQ(claim(two_), nodeBusy);
}

TEST_F(NodeLocks, ARunThatLostItsNodeStartsNothingThere) {
    ASSERT_EQ(claim(one_), 0);
    age();
    ASSERT_EQ(claim(two_), 0);
    const auto started = run(startScript(work_, one_, "a"));
    EXPECT_EQ(started->exitCode, lockLost);
    EXPECT_EQ(started->output, two_ + "\n");
    EXPECT_FALSE(std::filesystem::exists(work_ + "/runs/" + one_ + "/a/started"));
}

// The port that the script finds where this is the ephemeral range and these ports are taken.
std::string portBeside(const std::string& range, const std::vector<int>& taken, unsigned seed = 5) {
    const test::Folder folder;
    const PortFiles files{folder.path() / "range", folder.path() / "used", folder.path() / "none"};
    std::ofstream(files.ephemeral) << range << '\n';
    std::ofstream used(files.used);
    used << "  sl  local_address rem_address   st\n";
    for (const int port : taken) {
        used << fmt::format("   0: 0100007F:{:04X} 00000000:0000 0A 00000000:00000000\n", port);
    }
    used.close();
    remote::LocalTransport here("here");
    const auto result = here.run({freePortScript(seed, files), {}}, {});
    EXPECT_TRUE(result && result->exitCode == 0);
    return result ? result->output : "";
}

TEST(Scripts, APortIsFreeAndOutsideTheEphemeralRange) {
    EXPECT_EQ(portBeside("32768\t60999", {}), "10005\n");
    EXPECT_EQ(portBeside("32768\t60999", {10005, 10006}), "10007\n");
    EXPECT_EQ(portBeside("10000\t60999", {}), "1029\n") << "below the range";
    EXPECT_EQ(portBeside("1024\t60999", {}), "61005\n") << "above it";
    EXPECT_EQ(portBeside("1024\t20000", {}), "20006\n");
    EXPECT_EQ(portBeside("15000\t20000", {}, 4999), "14999\n");
}

TEST(Scripts, WithoutAPortOutsideTheRangeOneInsideIsTaken) {
    EXPECT_EQ(portBeside("1024\t65535", {}), "1029\n");
    std::vector<int> all;
    for (int port = 1024; port <= 65535; ++port) {
        all.push_back(port);
    }
    EXPECT_EQ(portBeside("1024\t65535", all), "") << "no free port was found";
}

// A node whose nvidia-smi prints this.
cluster::Node nodeThatPrints(const test::Folder& folder, const std::string& printed) {
    const auto program = folder.path() / "nvidia-smi";
    std::ofstream(program) << "#!/bin/sh\nprintf '" << printed << "'\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    cluster::Node node = cluster::thisMachine().nodes.front();
    node.container = {"env", "PATH=" + folder.path().string() + ":/usr/bin:/bin"};
    return node;
}

TEST(Devices, AreTheGpusWhereANodeDoesNotSay) {
    const test::Folder two;
    const test::Folder none;
    cluster::Node said = nodeThatPrints(two, "GPU 0: V100\\nGPU 1: V100\\n");
    said.devices = 8;
    cluster::Node unsaid = said;
    unsaid.devices.reset();
    const cluster::Cluster cluster{"lab", {unsaid, nodeThatPrints(none, "no devices were found\\n"), said}};
    const auto resolved = resolveNodes(cluster, remote::openTransport);
    ASSERT_TRUE(resolved) << describe(resolved.error());
    EXPECT_EQ(resolved->nodes[0].devices, 2);
    EXPECT_EQ(resolved->nodes[1].devices, cluster::cpuProcesses);
    EXPECT_EQ(resolved->nodes[2].devices, 8) << "what the list says is not asked for";
}

TEST(Addresses, AreWhatTheSshConfigurationResolves) {
    const test::Sshd sshd;
    cluster::Node box = sshd.node();
    box.devices = 1;
    cluster::Node said = box;
    said.address = "192.0.2.7";
    said.port = 2222;
    const auto resolved = resolveNodes({"lab", {box, said}}, remote::openTransport);
    ASSERT_TRUE(resolved) << describe(resolved.error());
    EXPECT_EQ(resolved->nodes[0].address, "127.0.0.1") << "the other nodes know no alias of ours";
    EXPECT_EQ(resolved->nodes[0].port, sshd.port());
    EXPECT_EQ(resolved->nodes[1].address, "192.0.2.7");
    EXPECT_EQ(resolved->nodes[1].port, 2222);
}

TEST(Scripts, APortIsFoundHere) {
    remote::LocalTransport here("here");
    const auto found = here.run({freePortScript(3), {}}, {});
    ASSERT_TRUE(found);
    EXPECT_GE(std::stoi(found->output), 1024);
}

}  // namespace
}  // namespace dlperf::run
