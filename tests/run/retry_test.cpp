// SPDX-License-Identifier: Apache-2.0
// Running again what has no figure, and taking a cancel back.
#include "core/run/retry.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "core/run/clean.h"
#include "core/store/results.h"
#include "core/store/run_record.h"
#include "tests/run/bench.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Campaign statusOf(const Bench& bench) {
    return readStatus(bench.workspace).campaigns.back();
}

TEST(Retry, ARunThatWasCancelledBeforeItBeganMayBeKept) {
    Bench bench(1, {{"repetitions", 3}});
    const Campaign campaign = bench.create();
    const std::string second = campaign.runs[1].id;
    const std::string third = campaign.runs[2].id;
    for (const std::string& run : {second, third}) {
        ASSERT_TRUE(writeRequest(bench.workspace, Request::CancelRun, run));
    }
    ASSERT_TRUE(writeRequest(bench.workspace, Request::KeepRun, third));
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results[1].outcome, Outcome::NotRun);
    EXPECT_EQ(end->results[2].outcome, Outcome::Ok);
    EXPECT_THAT(retryable(statusOf(bench)), ElementsAre(second));
}

// A runner that was asked and died before it came to the run; the next one goes on.
TEST(Retry, SkipsARunThatAnEarlierRunnerWasAskedToSkip) {
    Bench bench(1, {{"repetitions", 3}});
    const Campaign campaign = bench.create();
    {
        auto journal = Journal::open(campaignFolder(bench.workspace, campaign.id) / "journal.jsonl");
        ASSERT_TRUE(journal);
        for (const std::size_t number : {1U, 2U}) {
            ASSERT_TRUE(journal->write({event::SkipChanged{true}, number}));
        }
    }
    EXPECT_TRUE(statusOf(bench).runs[1].skipped);
    ASSERT_TRUE(writeRequest(bench.workspace, Request::KeepRun, campaign.runs[2].id));
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results[1].outcome, Outcome::NotRun);
    EXPECT_EQ(end->results[2].outcome, Outcome::Ok);
    EXPECT_FALSE(statusOf(bench).runs[1].skipped);
}

// Makes the trainers of node a fail to start as long as `broken` holds.
void breakStart(Bench& bench, bool& broken) {
    bench.transports["a"]->before = [&broken](const remote::Command& command) -> std::optional<Error> {
        if (broken && command.script.find("setsid bash") != std::string::npos) {
            return Error{"it is broken", "node a", {}, ErrorKind::Work};
        }
        return std::nullopt;
    };
}

TEST(Retry, HealsItsCampaign) {
    Bench bench(1, {{"repetitions", 2}});
    bool broken = true;
    breakStart(bench, broken);
    const Campaign campaign = bench.create();
    ASSERT_TRUE(writeRequest(bench.workspace, Request::CancelRun, campaign.runs[1].id));
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_EQ(statusOf(bench).runs[0].outcome, Outcome::Failed);
    const std::filesystem::path failedFolder = statusOf(bench).runs[0].path;

    broken = false;
    const auto queued = retryRuns(bench.workspace, campaign.id, {});
    ASSERT_TRUE(queued) << describe(queued.error());
    EXPECT_FALSE(statusOf(bench).finished());
    EXPECT_EQ(statusOf(bench).runs[0].phase, RunPhase::Queued);
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());

    EXPECT_TRUE(end->allOk());
    EXPECT_THAT(campaignIds(bench.workspace), ElementsAre(campaign.id));
    EXPECT_EQ(statusOf(bench).runs[0].id, campaign.runs[0].id + ".2");
    EXPECT_EQ(statusOf(bench).runs[1].id, campaign.runs[1].id + ".2");
    EXPECT_TRUE(std::filesystem::exists(failedFolder / "journal.jsonl"));  // nothing is lost
    const auto stored = store::readResults(bench.workspace);
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored->results.size(), 2U);
    for (const RunResult& result : stored->results) {
        EXPECT_EQ(result.campaign, campaign.id);
        EXPECT_EQ(result.outcome, Outcome::Ok);
    }
}

TEST(Retry, ASecondRetryCountsOn) {
    Bench bench;
    bool broken = true;
    breakStart(bench, broken);
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    for (const char* id : {".2", ".3"}) {
        ASSERT_TRUE(retryRuns(bench.workspace, campaign.id, {}));
        ASSERT_TRUE(bench.run(campaign));
        EXPECT_EQ(statusOf(bench).runs[0].id, campaign.runs[0].id + id);
    }
    const auto stored = store::readResults(bench.workspace);
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored->results.size(), 1U);
    EXPECT_EQ(stored->results[0].id, campaign.runs[0].id + ".3");
    EXPECT_TRUE(isOver(bench.workspace, campaign.runs[0].id));
    EXPECT_TRUE(isOver(bench.workspace, campaign.runs[0].id + ".3"));
    EXPECT_FALSE(isOver(bench.workspace, campaign.runs[0].id + ".4"));
}

TEST(Retry, QueuesNothingWhenOneRunCannotBeRetried) {
    Bench bench(1, {{"repetitions", 2}});
    const Campaign campaign = bench.create();
    ASSERT_TRUE(writeRequest(bench.workspace, Request::CancelRun, campaign.runs[1].id));
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_FALSE(retryRuns(bench.workspace, campaign.id, {campaign.runs[0].id, campaign.runs[1].id}));
    EXPECT_TRUE(statusOf(bench).finished());
    EXPECT_FALSE(retryRuns(bench.workspace, campaign.id, {"another/0001"}));
}

// A journal that was restored from a backup does not know the retry; its id must not be given away twice.
TEST(Retry, RefusesAJournalThatLacksAnEarlierRetry) {
    Bench bench;
    bool broken = true;
    breakStart(bench, broken);
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    const auto journal = journalFile(bench.workspace, campaign.id);
    std::filesystem::copy_file(journal, bench.folder.path() / "backup");
    ASSERT_TRUE(retryRuns(bench.workspace, campaign.id, {}));
    ASSERT_TRUE(bench.run(campaign));
    std::filesystem::copy_file(bench.folder.path() / "backup", journal,
                               std::filesystem::copy_options::overwrite_existing);
    const auto queued = retryRuns(bench.workspace, campaign.id, {});
    ASSERT_FALSE(queued);
    EXPECT_EQ(queued.error().kind, ErrorKind::Input);
}

TEST(NodeFiles, GoOnceAllIsHere) {
    Bench bench(2, {{"topologies", {"2n1g"}}});
    ASSERT_TRUE(bench.run(bench.create()));
    EXPECT_TRUE(std::filesystem::is_empty(bench.folder.path() / "nodes/runs"));
    EXPECT_GT(std::filesystem::file_size(statusOf(bench).runs[0].path / "node0.log"), 0U);
}

TEST(NodeFiles, StayWhereAsked) {
    Bench bench;
    bench.settings.keepNodeFiles = true;
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    const auto folder = bench.folder.path() / "nodes/runs" / campaign.runs[0].id / "a";
    EXPECT_TRUE(std::filesystem::exists(folder / "log"));
    EXPECT_THAT(removableRuns(bench.workspace),
                ElementsAre(testing::Pair(campaign.runs[0].id, ElementsAre("a"))));
}

TEST(NodeFiles, WhatTheTrainerWroteStays) {
    Bench bench;
    const Campaign campaign = bench.create();
    const auto folder = bench.folder.path() / "nodes/runs" / campaign.runs[0].id / "a";
    bench.transports["a"]->after = [&](const remote::Command& command, remote::CommandResult&) {
        if (command.script.find("setsid bash") != std::string::npos) {
            std::ofstream(folder / "checkpoint") << "weights";
        }
    };
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(folder / "log"));
}

// The copy differs from the node's log: the node's is the only whole one.
TEST(NodeFiles, StayWhereTheLogIsNotHereWhole) {
    Bench bench;
    const Campaign campaign = bench.create();
    bench.transports["a"]->after = [](const remote::Command& command, remote::CommandResult& result) {
        if (const std::size_t at = result.output.find("sha256 ");
            command.script.find("sha256sum <log") != std::string::npos && at != std::string::npos) {
            result.output.replace(at + 7, 4, "0000");
        }
    };
    ASSERT_TRUE(bench.run(campaign));
    EXPECT_TRUE(std::filesystem::exists(bench.folder.path() / "nodes/runs" / campaign.runs[0].id / "a/log"));
    EXPECT_TRUE(removableRuns(bench.workspace).empty());
}

TEST(Retry, ThePlanNamesWhatIsMissingAndHowOften) {
    Bench bench(1, {{"topologies", {"1n1g", "1n2g"}}, {"repetitions", 3}});
    const Campaign campaign = bench.create();
    for (const std::size_t left : {1U, 2U, 3U}) {
        ASSERT_TRUE(writeRequest(bench.workspace, Request::CancelRun, campaign.runs[left].id));
    }
    ASSERT_TRUE(bench.run(campaign));
    const Campaign status = statusOf(bench);
    const auto retry = writeRetry(bench.workspace, status, retryable(status));
    ASSERT_TRUE(retry) << describe(retry.error());
    const auto plan = launch::readPlan(retry->plan);
    ASSERT_TRUE(plan) << describe(plan.error());
    const auto cluster = cluster::readCluster(retry->cluster);
    ASSERT_TRUE(cluster) << describe(cluster.error());
    const auto prepared =
        launch::prepare(*plan, *cluster, launch::readRecipes({retry->recipes}), Vocabulary{});
    ASSERT_TRUE(prepared) << describe(prepared.error());
    std::vector<std::string> runs;
    for (const launch::PlannedRun& run : prepared->runs) {
        runs.push_back(toString(run.benchmarkCase.topology));
        EXPECT_EQ(run.benchmarkCase.configuration.variant,
                  status.runs[0].benchmarkCase.configuration.variant);
    }
    EXPECT_THAT(runs, ElementsAre("1n1g", "1n1g", "1n2g"));
}

TEST(Retry, NothingToRunAgainIsRefused) {
    Bench bench;
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    const Campaign status = statusOf(bench);
    EXPECT_TRUE(retryable(status).empty());
    EXPECT_FALSE(writeRetry(bench.workspace, status, {}));
    EXPECT_FALSE(std::filesystem::exists(bench.workspace.root() / "plans"));
}

TEST(Retry, MemoryThatRanOutWouldAgain) {
    RunState run;
    run.phase = RunPhase::Finished;
    run.outcome = Outcome::Oom;
    EXPECT_FALSE(isWorthRetrying(run));
    run.outcome = Outcome::Short;
    EXPECT_TRUE(isWorthRetrying(run));
    run.phase = RunPhase::Running;
    EXPECT_FALSE(isWorthRetrying(run));
}

// Its runner dies between the trainer's start and the event that says so.
TEST(NodeFiles, ATrainerThatNobodyWroteDownIsCollected) {
    Bench bench(1, Json::object(), {{"behaviour", "endless"}});
    const Campaign campaign = bench.create();
    const auto hasPrinted = [&] {
        const std::filesystem::recursive_directory_iterator all(bench.folder.path() / "nodes");
        return std::any_of(begin(all), end(all), [](const auto& entry) {
            return entry.path().filename() == "log" && entry.file_size() > 0;
        });
    };
    bench.transports["a"]->after = [&](const remote::Command& command, remote::CommandResult& result) {
        if (command.script.find("setsid bash") != std::string::npos) {
            EXPECT_TRUE(eventually(hasPrinted));
            result.exitCode = 1;
        }
    };
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());
    const RunState run = statusOf(bench).runs[0];
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_GT(std::filesystem::file_size(run.path / "node0.log"), 0U);
    const auto record = store::readRunRecord(run.path);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->facts["nodes"][0]["ran_script"], true);
}

TEST(Clean, SaysThenRemovesWhatRunsHaveLeft) {
    Lab lab;
    const std::string workspace = lab.workspace.root().string();
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan(), {"--keep-node-files"})).exitCode, 0);
    const auto folder = lab.home / "dlperf/runs" / lab.runs().at(0).id / "this";
    const auto other = lab.home / "dlperf/runs/another/0001/this";
    std::filesystem::create_directories(other);
    const Ended said = lab.dlperf({"clean", "--workspace", workspace, "--dry-run"});
    EXPECT_EQ(said.exitCode, 0) << said.errors;
    EXPECT_THAT(said.output, HasSubstr("this  1 run, "));
    EXPECT_THAT(said.output, HasSubstr("would be removed"));
    EXPECT_TRUE(std::filesystem::exists(folder / "log"));
    const Ended cleaned = lab.dlperf({"clean", "--workspace", workspace});
    EXPECT_EQ(cleaned.exitCode, 0) << cleaned.errors;
    EXPECT_THAT(cleaned.output, HasSubstr("1 run, "));
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_TRUE(std::filesystem::exists(other)) << "a run of somebody else";
    EXPECT_THAT(lab.dlperf({"clean", "--workspace", workspace}).output, HasSubstr("0 runs, 0.0 MiB removed"));
}

TEST(RetryCommand, HealsACancelledRun) {
    Lab lab;
    const std::string workspace = lab.workspace.root().string();
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGINT);
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    const std::string id = lab.runs().at(0).id;
    EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Cancelled);
    EXPECT_THAT(lab.dlperf({"status", "--workspace", workspace}).output, HasSubstr("cancelled, 1 cancelled"));
    const pid_t again = lab.start({"retry", "--workspace", workspace, "--run", id});
    ASSERT_TRUE(eventually([&] { return lab.runs().at(0).phase == RunPhase::Running; }));
    EXPECT_EQ(lab.runs().at(0).id, id + ".2");
    EXPECT_EQ(lab.status().size(), 1U);
    ::kill(again, SIGINT);
    EXPECT_EQ(lab.wait(again).exitCode, 1);
    const Ended wrong = lab.dlperf({"retry", "--workspace", workspace, "--run", id});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.errors, HasSubstr("no run to retry of the id " + id));
    EXPECT_THAT(lab.dlperf({"retry", "--workspace", workspace, "--run", "2"}).errors,
                HasSubstr("no run to retry of the id 2"));
    const pid_t third = lab.start({"retry", "--workspace", workspace, "--run", "1"});
    ASSERT_TRUE(eventually([&] { return lab.runs().at(0).phase == RunPhase::Running; }));
    EXPECT_EQ(lab.runs().at(0).id, id + ".3") << "by its number, as other commands know it";
    ::kill(third, SIGINT);
    EXPECT_EQ(lab.wait(third).exitCode, 1);
}

TEST(TakenPort, IsReplacedByAnotherOnce) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "port-taken"}, {"text", "1"}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("runs once more, with another one"));
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Ok);
    EXPECT_EQ(parseRunId(run.id).attempt, 2);
    const auto port = [](const std::filesystem::path& folder) {
        const auto record = store::readRunRecord(folder);
        return record ? record->facts.value("master_port", 0) : 0;
    };
    EXPECT_NE(port(run.path.string() + ".attempt1"), 0) << "the first attempt is kept";
    EXPECT_NE(port(run.path.string() + ".attempt1"), port(run.path));
}

// A trainer that takes no port but its own would fail for ever.
TEST(TakenPort, ThatStaysTakenEndsTheRun) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "port-taken"}, {"text", "9"}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("remedy: See who has it"));
    EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Failed);
    EXPECT_EQ(parseRunId(lab.runs().at(0).id).attempt, 2);
    EXPECT_EQ(slurp(lab.home / "attempts"), "tried\ntried\n");
}

}  // namespace
}  // namespace dlperf::run
