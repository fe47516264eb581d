// SPDX-License-Identifier: Apache-2.0
// What a queue does when runs fail alike, and what makes it up.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/mapped.h"
#include "core/launch/past_runs.h"
#include "core/remote/slurm_job.h"
#include "core/run/campaign.h"
#include "core/run/completed_campaign.h"
#include "core/run/failures_alike.h"
#include "core/store/results.h"
#include "core/store/run_record.h"
#include "tests/run/bench.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::HasSubstr;
using testing::Not;

RunResult failed(const std::string& reason, int batchSize) {
    RunResult run;
    run.outcome = Outcome::Failed;
    run.reason = reason;
    run.benchmarkCase.configuration.batchSize = batchSize;
    return run;
}

std::vector<Outcome> outcomesOf(const Lab& lab) {
    std::vector<Outcome> outcomes;
    for (const RunState& run : lab.runs()) {
        outcomes.push_back(run.outcome);
    }
    return outcomes;
}

TEST(FailuresAlike, DifferInNumbersAlone) {
    FailuresAlike failures;
    const RunResult other = failed("", 64);
    failures.take(failed("port 4711 is taken, exit code 1", 8));
    failures.take(failed("port 4712 is taken, exit code 1", 16));
    EXPECT_TRUE(failures.reach(2, other.benchmarkCase));
    EXPECT_FALSE(failures.reach(3, other.benchmarkCase));
    EXPECT_FALSE(failures.reach(0, other.benchmarkCase));
    failures.take(failed("no such file", 8));
    EXPECT_FALSE(failures.reach(2, other.benchmarkCase));
}

TEST(FailuresAlike, OfOneCaseStopThatCaseAlone) {
    FailuresAlike failures;
    failures.take(failed("no kernel", 256));
    failures.take(failed("no kernel", 256));
    EXPECT_TRUE(failures.reach(2, failed("", 256).benchmarkCase));
    EXPECT_FALSE(failures.reach(2, failed("", 8).benchmarkCase));
    RunResult ok = failed("", 8);
    ok.outcome = Outcome::Ok;
    failures.take(ok);
    EXPECT_FALSE(failures.reach(1, ok.benchmarkCase));
}

std::optional<remote::Withdrawal> takenWith(const std::string& state) {
    return remote::whyEnded("7", remote::parseJobStatus("state " + state + "\n"));
}

TEST(QueuePolicy, ANodeThatFailedIsTheClustersFaultAndStopsNoQueue) {
    Bench bench(1, {{"repetitions", 3}}, {{"behaviour", "crash"}});
    bench.settings.stopAfter = 1;
    bench.transports["a"]->taken = takenWith("NODE_FAIL");
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->campaign.outcomes(), (std::map<Outcome, int>{{Outcome::Failed, 3}}));
    EXPECT_THAT(end->results.at(2).reason, HasSubstr("Slurm job 7 lost a node"));
}

TEST(QueuePolicy, AJobThatRanOutOfMemoryIsAnAnswerOfItsCase) {
    Bench bench(1, {{"repetitions", 2}}, {{"behaviour", "crash"}});
    bench.settings.stopAfter = 1;
    bench.transports["a"]->taken = takenWith("OUT_OF_MEMORY");
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->campaign.outcomes(), (std::map<Outcome, int>{{Outcome::Oom, 2}}));
    EXPECT_THAT(end->results.at(1).reason, HasSubstr("ran out of the memory that Slurm gives it"));
}

TEST(QueuePolicy, StopsAfterThreeFailuresAlikeAndSaysSo) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "crash"}}, {{"batch_sizes", {1, 2, 4, 8, 16}}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 1);
    using enum Outcome;
    EXPECT_THAT(outcomesOf(lab), testing::ElementsAre(Failed, Failed, Failed, NotRun, NotRun));
    EXPECT_THAT(lab.runs().back().reason, HasSubstr("the last 3 runs failed alike"));
    const Ended all = lab.dlperf(lab.runArguments(plan, {"--stop-after", "0"}));
    EXPECT_EQ(all.exitCode, 1);
    EXPECT_THAT(outcomesOf(lab), testing::Each(Failed));
}

TEST(QueuePolicy, ResumeSaysWhatFailedAndRetriesItWhenAsked) {
    Lab lab;
    const std::string workspace = lab.workspace.root().string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "crash"}}))).exitCode, 1);
    const Ended told = lab.dlperf({"resume", "--workspace", workspace});
    EXPECT_THAT(told.errors, HasSubstr("1 of its runs without a figure: `dlperf resume --retry-failed`"));
    EXPECT_EQ(lab.runs().size(), 1U);
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", workspace, "--retry-failed"}).exitCode, 1);
    EXPECT_THAT(lab.runs().front().path.filename().string(), HasSubstr(".attempt2"));
}

// It resumes, and retries as well: an older campaign that was left goes on too.
TEST(QueuePolicy, RetryingWhatFailedResumesOlderCampaigns) {
    Lab lab;
    const std::string workspace = lab.workspace.root().string();
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"seconds", "0"}}))).exitCode, 0);
    // As if its runner had been killed before the first run.
    std::filesystem::remove(journalFile(lab.workspace, lab.status().back().id));
    std::filesystem::remove_all(lab.workspace.logs() / "toy");
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "crash"}}))).exitCode, 1);
    ASSERT_FALSE(lab.status().front().finished());
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", workspace, "--retry-failed"}).exitCode, 1);
    EXPECT_TRUE(lab.status().front().endedWell());
    EXPECT_EQ(parseRunId(lab.runs().front().id).attempt, 2);
}

TEST(QueuePolicy, AFurtherCampaignMakesUpOnlyWhatIsMissing) {
    Lab lab;
    const auto one = lab.plan({{"seconds", "0"}}, {{"batch_sizes", {8}}});
    EXPECT_EQ(lab.dlperf(lab.runArguments(one)).exitCode, 0);
    const auto more = lab.plan({{"seconds", "0"}}, {{"batch_sizes", {8, 16}}, {"repetitions", 2}});
    const Ended ended = lab.dlperf(lab.runArguments(more, {"--missing"}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    using enum Outcome;
    EXPECT_THAT(outcomesOf(lab), testing::ElementsAre(NotRun, Ok, Ok, Ok));
    EXPECT_EQ(lab.runs().front().reason, "an earlier run of its case counts in its place");
    EXPECT_THAT(mapped(lab.runs(), &RunState::repetition), testing::ElementsAre(1, 2, 1, 2));
    const Ended again = lab.dlperf(lab.runArguments(more, {"--missing"}));
    EXPECT_EQ(again.exitCode, 0);
    EXPECT_THAT(again.errors, HasSubstr("nothing to run: the workspace has figures of all 4 runs"));
    EXPECT_EQ(lab.status().size(), 2U) << "no campaign of nothing";
    EXPECT_THAT(lab.dlperf({"resume", "--workspace", lab.workspace.root().string()}).errors,
                Not(HasSubstr("without a figure")));
}

void collectSeries(const Json& report, std::map<std::string, std::string>& series) {
    for (const Json& inner : report) {
        if (inner.is_object() && inner.contains("median_speed")) {
            series[inner["campaign"]] =
                fmt::format("{} of {}", inner["median_speed"].get<double>(), inner["runs"].size());
        } else if (inner.is_object()) {
            collectSeries(inner, series);
        }
    }
}

// What `dlperf report` finds of runs of one case, by campaign: their median and how many they are.
std::map<std::string, std::string> seriesIn(Lab& lab) {
    const auto file = lab.root / "report.json";
    const Ended ended =
        lab.dlperf({"report", "--workspace", lab.workspace.root().string(), "-o", file.string()});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    std::map<std::string, std::string> series;
    collectSeries(Json::parse(slurp(file)), series);
    return series;
}

TEST(QueuePolicy, WhatACampaignLacksBecomesOneSeriesWithIt) {
    Lab lab;
    const auto planOf = [&](int repetitions) {
        return lab.plan({{"seconds", "0"}}, {{"repetitions", repetitions}});
    };
    EXPECT_EQ(lab.dlperf(lab.runArguments(planOf(2))).exitCode, 0);
    const std::string first = lab.status().front().id;
    const Ended ended = lab.dlperf(lab.runArguments(planOf(3), {"--missing"}));
    EXPECT_THAT(ended.errors, HasSubstr("completes campaign " + first));
    EXPECT_EQ(lab.runs().back().completes, first);
    EXPECT_EQ(store::readRunRecord(lab.runs().back().path)->result.completes, first);
    EXPECT_THAT(seriesIn(lab), testing::ElementsAre(testing::Pair(first, "16 of 3")));
    // One that completes that one completes the first; so it does where the first is gone.
    EXPECT_EQ(lab.dlperf(lab.runArguments(planOf(4), {"--missing"})).exitCode, 0);
    EXPECT_EQ(lab.runs().back().completes, first);
    EXPECT_EQ(lab.dlperf({"delete", first, "--yes", "--workspace", lab.workspace.root().string()}).exitCode,
              0);
    EXPECT_EQ(lab.dlperf(lab.runArguments(planOf(4), {"--missing"})).exitCode, 0);
    EXPECT_THAT(seriesIn(lab), testing::ElementsAre(testing::Pair(first, "16 of 4")));
    EXPECT_THAT(outcomesOf(lab),
                testing::ElementsAre(Outcome::NotRun, Outcome::NotRun, Outcome::Ok, Outcome::Ok));
    // Named by any of its campaigns it is held against itself.
    const std::string last = lab.status().back().id;
    const std::string other = lab.status().front().id;
    const Ended same = lab.dlperf({"compare", "--workspace", lab.workspace.root().string(), other, last});
    EXPECT_THAT(same.errors, HasSubstr("before and after are the same"));
    const Ended gone = lab.dlperf({"compare", "--workspace", lab.workspace.root().string(), first, last});
    EXPECT_THAT(gone.errors, HasSubstr("before and after are the same")) << "by the deleted one's name";
}

// The earlier run that is left is the second one.
TEST(QueuePolicy, WhatIsMissingTakesTheNumberOfWhatWasDeleted) {
    Lab lab;
    const auto plan = lab.plan({{"seconds", "0"}}, {{"repetitions", 2}});
    EXPECT_EQ(lab.dlperf(lab.runArguments(plan)).exitCode, 0);
    const std::string first = lab.runs().front().id;
    EXPECT_EQ(lab.dlperf({"delete", first, "--yes", "--workspace", lab.workspace.root().string()}).exitCode,
              0);
    EXPECT_EQ(lab.dlperf(lab.runArguments(plan, {"--missing"})).exitCode, 0);
    EXPECT_THAT(outcomesOf(lab), testing::ElementsAre(Outcome::NotRun, Outcome::Ok));
    EXPECT_THAT(mapped(lab.runs(), &RunState::repetition), testing::ElementsAre(2, 1));
}

TEST(QueuePolicy, WhatRunsOtherwiseCompletesNothing) {
    Lab lab;
    const auto one = lab.plan({{"seconds", "0"}});
    EXPECT_EQ(lab.dlperf(lab.runArguments(one, {"--cluster", lab.cluster(1).string()})).exitCode, 0);
    const std::string first = lab.status().front().id;
    const auto more = lab.plan({{"seconds", "0"}}, {{"repetitions", 2}});
    const auto other = lab.cluster(1, {{"env", {{"TOY_SWITCH", "1"}}}});
    const Ended ended = lab.dlperf(lab.runArguments(more, {"--missing", "--cluster", other.string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors,
                HasSubstr("series of their own stay the figures of " + first + " (another environment)"));
    EXPECT_EQ(lab.runs().back().completes, "");
    EXPECT_EQ(lab.status().back().seriesCampaign(), lab.status().back().id);
    EXPECT_EQ(seriesIn(lab).size(), 2U);
}

TEST(QueuePolicy, WhatWasImportedIsNoRunOfThePlan) {
    Bench bench;
    ASSERT_TRUE(bench.run(bench.create()));
    ASSERT_EQ(countFigures(bench.workspace, bench.prepared)->size(), 1U);
    const auto own = store::readResults(bench.workspace);
    ASSERT_TRUE(own) << describe(own.error());
    const auto folder = bench.workspace.root() / own->results.at(0).folder;
    auto record = store::readRunRecord(folder).value();
    record.result.origin = Origin::Imported;
    record.result.campaign = "theirs";
    ASSERT_TRUE(store::writeRunRecord(folder, record));
    EXPECT_THAT(countFigures(bench.workspace, bench.prepared).value(), testing::IsEmpty());
    const auto completion = completionOf(bench.workspace, bench.inputs, Vocabulary{}, {});
    ASSERT_TRUE(completion) << describe(completion.error());
    EXPECT_EQ(completion->campaign, "");
    EXPECT_THAT(completion->apart, testing::ElementsAre("theirs (imported figures)"));
}

// As the window asks for what is missing: the plan names it.
TEST(QueuePolicy, APlanOfWhatIsMissingCompletesTheCampaign) {
    Bench bench(1, {{"repetitions", 2}, {"topologies", {"1n1g", "1n2g"}}});
    launch::Plan& plan = bench.inputs.plan;
    const auto wanted = plan;
    plan.topologies = {{1, 1}};
    bench.prepared = launch::prepare(plan, bench.inputs.cluster, bench.inputs.recipes, Vocabulary{}).value();
    const Campaign first = bench.create();
    ASSERT_TRUE(bench.run(first));
    plan = wanted;
    const auto all = launch::prepare(plan, bench.inputs.cluster, bench.inputs.recipes, Vocabulary{}).value();
    plan = launch::withoutDoneCases(plan, all, store::readResults(bench.workspace)->results);
    ASSERT_EQ(plan.only.size(), 1U);
    EXPECT_TRUE(launch::planFromJson(launch::toJson(plan), "plan")->completesEarlier);
    const auto completion = completionOf(bench.workspace, bench.inputs, Vocabulary{}, {});
    ASSERT_TRUE(completion) << describe(completion.error());
    EXPECT_EQ(completion->campaign, first.id);
    EXPECT_THAT(completion->apart, testing::IsEmpty());
    CampaignInputs inAnImage = bench.inputs;
    inAnImage.cluster.nodes.front().image = "docker.io/pytorch/pytorch:2.6.0";
    EXPECT_EQ(completionOf(bench.workspace, inAnImage, Vocabulary{}, {})->campaign, "");
    // Started once more when all is there, it is a repeat.
    bench.prepared = launch::prepare(plan, bench.inputs.cluster, bench.inputs.recipes, Vocabulary{}).value();
    ASSERT_TRUE(bench.run(bench.create()));
    EXPECT_EQ(completionOf(bench.workspace, bench.inputs, Vocabulary{}, {})->campaign, "");
}

// Runs of one and of two nodes; the second node goes in the first run of both.
struct LosingBench : Bench {
    LosingBench() : Bench(2, {{"topologies", {"2n1g", "1n1g"}}, {"batch_sizes", {8, 16}}}) {
        settings.retryTimeout = settings.lostAfter = settings.unreachableGrace = std::chrono::seconds(1);
        told = [this](const RunState& run) {
            const int nodes = run.benchmarkCase.topology.nodes;
            Watched& second = *transports["b"];
            second.away = second.away || (ended.empty() && nodes == 2 && run.phase == RunPhase::Running);
            if (run.phase == RunPhase::Finished && (ended.empty() || ended.back().first != run.id)) {
                ended.emplace_back(run.id, nodes);
            }
            second.away = second.away && !(comesBack && nodes == 1 && ended.size() == 3);
        };
    }
    // Nodes of the runs as they ended.
    [[nodiscard]] std::vector<int> order() const {
        return mapped(ended, &std::pair<std::string, int>::second);
    }

    bool comesBack = false;
    std::vector<std::pair<std::string, int>> ended;
};

TEST(QueuePolicy, RunsThatNeedALostNodeWaitForTheOthers) {
    LosingBench bench;
    bench.comesBack = true;
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(bench.order(), testing::ElementsAre(2, 1, 1, 2));
    using enum Outcome;
    EXPECT_THAT(mapped(end->results, &RunResult::outcome), testing::UnorderedElementsAre(Failed, Ok, Ok, Ok))
        << end->results.back().reason;
}

TEST(QueuePolicy, ALostNodeThatStaysAwayIsNamed) {
    LosingBench bench;
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(bench.order(), testing::ElementsAre(2, 1, 1)) << "the last one never began";
    using enum Outcome;
    EXPECT_THAT(mapped(end->results, &RunResult::outcome),
                testing::UnorderedElementsAre(Failed, Ok, Ok, NotRun));
    const auto last = std::ranges::find(end->results, NotRun, &RunResult::outcome);
    EXPECT_EQ(last->reason, "node b was lost before it began; `dlperf retry` runs it");
}

}  // namespace
}  // namespace dlperf::run
