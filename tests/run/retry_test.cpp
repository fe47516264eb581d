// SPDX-License-Identifier: Apache-2.0
// Running again what has no figure, and taking a cancel back.
#include "core/run/retry.h"

#include <gmock/gmock.h>

#include "tests/run/bench.h"

namespace dlperf::run {
namespace {

using testing::ElementsAre;

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

}  // namespace
}  // namespace dlperf::run
