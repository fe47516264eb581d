// SPDX-License-Identifier: Apache-2.0
// Campaigns that search: what runs, what is found, and that whoever interrupts them changes nothing.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "core/base/mapped.h"
#include "core/run/retry.h"
#include "core/run/trials.h"
#include "tests/run/bench.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// On nodes with memory for so many samples, from batch size 4 on; "11 8": batch size 8 fails until it is
// mended.
std::filesystem::path searchPlan(Lab& lab, const std::string& memory, const Json& changes = Json::object()) {
    Json all{{"batch_sizes", {4}}, {"search", {{"batch_size", Json::object()}}}};
    all.update(changes);
    return lab.plan({{"behaviour", "memory"}, {"text", memory}}, all);
}

std::vector<int> triedBy(const Lab& lab, const Topology& topology = {1, 1}) {
    std::vector<int> tried;
    for (const RunState& run : lab.runs()) {
        if (run.benchmarkCase.topology == topology) {
            tried.push_back(run.benchmarkCase.configuration.batchSize);
        }
    }
    return tried;
}

Json statusJson(Lab& lab) {
    const Ended said = lab.dlperf({"status", "--workspace", lab.workspace.root().string(), "--json"});
    return Json::parse(said.output, nullptr, false)["campaigns"].back();
}

TEST(SearchRun, FindsTheLargestBatchThatFits) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(searchPlan(lab, "11")));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output,
                HasSubstr("the largest batch size that fits is 11 a device; 12 runs out of memory"));
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 8, 16, 12, 10, 11));
    EXPECT_TRUE(retryable(lab.status().back()).empty());
    const Json status = statusJson(lab);
    EXPECT_TRUE(status["finished"].get<bool>());
    const Json search = status["searches"].at(0);
    EXPECT_EQ(search["answer"], 11);
    EXPECT_EQ(search["fails"], 12);
    EXPECT_FALSE(search["goes_on"].get<bool>());
    ASSERT_EQ(search["trials"].size(), 6U);
    EXPECT_EQ(search["trials"][2]["outcome"], "oom");
    EXPECT_TRUE(search["trials"][2]["throughput"].is_null());
    EXPECT_EQ(search["trials"][5]["throughput"], 22.0);
}

TEST(SearchRun, FindsOneForEachCase) {
    Lab lab;
    const Json both{{"topologies", {"1n1g", "1n2g"}}};
    const Ended ended =
        lab.dlperf(lab.runArguments(searchPlan(lab, "11", both), {"--cluster", lab.cluster(1).string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 8, 16, 12, 10, 11));
    EXPECT_THAT(triedBy(lab, {1, 2}), ElementsAre(4, 8, 6, 5));
    EXPECT_THAT(ended.output,
                HasSubstr("the largest batch size that fits is 5 a device; 6 runs out of memory"));
}

TEST(SearchRun, FindsHowManyThreadsAreEnough) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "loading"}, {"text", "1"}},
                               {{"search", {{"option", {{"name", "text"}, {"most", 32}}}}}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output, HasSubstr("text = 3 is the least that is as fast as any; 2 is slower"));
    const Json search = statusJson(lab)["searches"].at(0);
    EXPECT_EQ(search["searched"], "text");
    EXPECT_EQ(search["answer"], 3);
    std::vector<int> tried;
    std::ranges::transform(search["trials"], std::back_inserter(tried),
                           [](const Json& trial) { return trial["value"].get<int>(); });
    EXPECT_THAT(tried, ElementsAre(1, 2, 4, 8, 3));
    const auto runs = lab.runs();
    EXPECT_EQ(runs.back().benchmarkCase.configuration.variant, (Variant{{"text", "3"}}));
    // What it tried can be run again, by a plan that searches nothing.
    const Campaign campaign = lab.status().back();
    const auto inputs = readInputs(lab.workspace, campaign.id);
    ASSERT_TRUE(inputs);
    const auto again = retryPlan(inputs->plan, campaign, {runs.back().id});
    ASSERT_TRUE(again);
    const auto prepared = launch::prepare(*again, inputs->cluster, inputs->recipes, Vocabulary{});
    ASSERT_TRUE(prepared) << describe(prepared.error());
    ASSERT_EQ(prepared->runs.size(), 1U);
    EXPECT_EQ(prepared->runs[0].benchmarkCase, runs.back().benchmarkCase);
}

TEST(SearchRun, OfAnOptionBeginsAtANumber) {
    Lab lab;
    const auto said = [&](const std::map<std::string, std::string>& options, const std::string& name) {
        const auto plan = lab.plan(options, {{"search", {{"option", {{"name", name}}}}}});
        return lab.dlperf(lab.runArguments(plan)).errors;
    };
    EXPECT_THAT(said({}, "text"), HasSubstr("the search of option \"text\" of recipe toy begins at \"\""));
    EXPECT_THAT(said({}, "lines"), HasSubstr("is no part of the case"));
    EXPECT_THAT(said({}, "threads"),
                HasSubstr("recipe toy has no option \"threads\", which is to be searched"));
}

TEST(SearchRun, SaysThatNothingFits) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(searchPlan(lab, "0")));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.output, HasSubstr("no batch size fits; 1 a device runs out of memory"));
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 2, 1));
}

TEST(SearchRun, EndsWithTheCauseOfAnotherFailureAndGoesOnOnceItIsMended) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(searchPlan(lab, "11 8")));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(
        ended.output,
        HasSubstr("the search ended at batch size 8: this machine: the trainer ended with exit code 3"));
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 8));
    std::ofstream(lab.home / "mended") << "\n";
    const Ended again = lab.dlperf({"retry", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    EXPECT_THAT(again.output, HasSubstr("fits is 11 a device"));
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 8, 16, 12, 10, 11));
}

TEST(SearchRun, GoesOnWhereAKilledRunnerWas) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(searchPlan(lab, "11")));
    ASSERT_TRUE(eventually([&] { return triedBy(lab).size() >= 3; }));
    ::kill(runner, SIGKILL);
    lab.wait(runner);
    const Ended again = lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    EXPECT_THAT(again.output, HasSubstr("fits is 11 a device"));
    EXPECT_THAT(triedBy(lab), ElementsAre(4, 8, 16, 12, 10, 11));
}

TEST(SearchRun, IsOverOnceItWasCancelled) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(searchPlan(lab, "1000", {{"train", 100}})));
    ASSERT_TRUE(lab.waitForLog(1));
    ::kill(runner, SIGINT);
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    EXPECT_TRUE(lab.status().back().finished());
    const auto tried = triedBy(lab);
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    EXPECT_EQ(triedBy(lab), tried);
}

// The runner died between a trial's end and the next one's entry in the journal.
TEST(SearchRun, IsNotOverBetweenTwoTrials) {
    Bench bench(1, {{"batch_sizes", {4}}, {"search", {{"batch_size", {{"most", 8}}}}}});
    const Campaign campaign = bench.create();
    {
        auto journal = Journal::open(journalFile(bench.workspace, campaign.id));
        ASSERT_TRUE(journal);
        ASSERT_TRUE(journal->write({event::Ended{true, {Outcome::Ok, ""}, "logs/a", 16.0, now(), now()}, 0}));
    }
    Campaign status = readStatus(bench.workspace).campaigns.back();
    EXPECT_FALSE(status.finished());
    const auto end = bench.run(*readCampaign(bench.workspace, campaign.id));
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_TRUE(end->allOk());
    EXPECT_EQ(end->campaign.runs.size(), 2U);
    EXPECT_EQ(describeSearch(end->campaign, searchedCases(end->campaign).at(0)),
              "batch size 8 a device fits, the largest that the plan lets try");
}

TEST(SearchRun, WhatItTriedCanBeAPlanOfItsOwn) {
    Lab lab;
    ASSERT_EQ(lab.dlperf(lab.runArguments(searchPlan(lab, "11"))).exitCode, 0);
    const Campaign campaign = lab.status().back();
    const auto inputs = readInputs(lab.workspace, campaign.id);
    ASSERT_TRUE(inputs);
    const auto plan = retryPlan(inputs->plan, campaign, {campaign.runs[5].id});
    ASSERT_TRUE(plan);
    const auto read = launch::planFromJson(launch::toJson(*plan), "plan");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->only.at(0).batchSize, 11);
}

TEST(SearchRun, IsShownBeforeItStarts) {
    Lab lab;
    const auto file =
        searchPlan(lab, "11", {{"search", {{"batch_size", {{"most", 96}, {"multiple_of", 4}}}}}});
    const Ended text = lab.dlperf(
        {"plan", file.string(), "--recipes", std::string(DLPERF_SOURCE_DIR) + "/tests/run/recipes"});
    EXPECT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_THAT(text.output,
                HasSubstr("searches the largest batch size that fits, from 4 to 96, in steps of 4"));
}

TEST(StrongScaling, ComparesTopologiesWithTheSameGlobalBatch) {
    Lab lab;
    const auto plan = lab.plan(
        {}, {{"topologies", {"1n1g", "1n2g"}}, {"global_batch_sizes", {32}}, {"batch_sizes", Json::array()}});
    const Ended ended = lab.dlperf(lab.runArguments(plan, {"--cluster", lab.cluster(1).string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].benchmarkCase.configuration.batchSize, 32);
    EXPECT_EQ(runs[1].benchmarkCase.configuration.batchSize, 16);
    // A batch takes the toy as long on one device as half of it on each of two.
    EXPECT_THAT(ended.output, HasSubstr("global batch size 32"));
    EXPECT_THAT(ended.output, testing::ContainsRegex("1n2g +1 +64.00 +64.00 +1.00"));
    const Ended compared =
        lab.dlperf({"compare", "--strong-scaling", "--workspace", lab.workspace.root().string()});
    EXPECT_THAT(compared.output, testing::ContainsRegex("1n2g +1 +64.00 +64.00 +1.00"));
    const Ended retry = lab.dlperf({"retry", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(retry.exitCode, 0);
    EXPECT_THAT(retry.errors, HasSubstr("there is nothing to retry"));
}

// One of them is slow: with seven runs it is rarely the median of a resample.
TEST(RepeatUntil, RunsUntilTheIntervalIsNarrow) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "slow-second"}}, {{"until", {{"width", "2%"}, {"most", 9}}}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output, HasSubstr("the 95 % interval of the median is 0.00 % wide after 7 runs\n"));
    EXPECT_EQ(mapped(lab.runs(), &RunState::repetition), oneTo(7));
    const Json repeated = statusJson(lab)["repeated"].at(0);
    EXPECT_EQ(repeated["runs"], 7);
    EXPECT_EQ(repeated["width"], 0.0);
    EXPECT_FALSE(repeated["goes_on"].get<bool>());
}

TEST(RepeatUntil, EndsAtTheMostAndSaysSo) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "slow-second"}},
                               {{"repetitions", 3}, {"until", {{"width", "2%"}, {"most", 5}}}});
    const Ended ended = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output, HasSubstr("% wide after 5 runs; no more are to come"));
    EXPECT_EQ(lab.runs().size(), 5U);
}

TEST(RepeatUntil, ARunWithoutAFigureEndsItUntilItIsRetried) {
    Lab lab;
    const auto plan = lab.plan({{"behaviour", "memory"}, {"text", "11 8"}}, {{"until", {{"width", "2%"}}}});
    EXPECT_EQ(lab.dlperf(lab.runArguments(plan)).exitCode, 1);
    EXPECT_EQ(lab.runs().size(), 1U);
    EXPECT_TRUE(lab.status().back().finished());
    std::ofstream(lab.home / "mended") << "\n";
    const Ended again = lab.dlperf({"retry", "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    EXPECT_EQ(lab.runs().size(), 5U);
}

TEST(SearchRun, TakesNoRunsThatAreThere) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(searchPlan(lab, "11"), {"--missing"}));
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.errors, HasSubstr("--missing does not go with a plan that searches or repeats"));
}

}  // namespace
}  // namespace dlperf::run
