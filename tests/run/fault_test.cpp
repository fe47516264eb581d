// SPDX-License-Identifier: Apache-2.0
// What breaks: the runner, the starter, the trainer, the journal. Nothing is lost and nothing is left
// running.
#include <gmock/gmock.h>
#include <csignal>

#include <fstream>
#include <functional>
#include <thread>

#include "core/run/journal.h"
#include "core/run/lock.h"
#include "core/run/requests.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<Outcome> outcomes(const std::vector<RunState>& runs) {
    std::vector<Outcome> all;
    all.reserve(runs.size());
    for (const RunState& run : runs) {
        all.push_back(run.phase == RunPhase::Finished ? run.outcome : Outcome::NotRun);
    }
    return all;
}

Ended resume(Lab& lab) {
    return lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
}

TEST(Fault, ResumesAfterTheRunnerWasKilled) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(
        lab.plan({{"seconds", "0.05"}}, {{"repetitions", 3}, {"train", 30}}), {"--keep-node-files"}));
    ASSERT_TRUE(lab.waitForLog(1));
    ::kill(runner, SIGKILL);
    EXPECT_EQ(lab.wait(runner).exitCode, 128 + SIGKILL);
    EXPECT_FALSE(lab.trainers().empty()) << "the trainer must not be a child that dies with its runner";
    EXPECT_FALSE(lab.status().back().runnerAlive);
    const Ended resumed = resume(lab);
    EXPECT_EQ(resumed.exitCode, 0) << resumed.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(outcomes(runs), std::vector<Outcome>(3, Outcome::Ok)) << resumed.errors;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].repetition, static_cast<int>(i) + 1);
        EXPECT_EQ(iterationsOf(lab.log(runs[i])), oneTo(30));
        EXPECT_EQ(lab.log(runs[i]), slurp(lab.home / "dlperf/runs" / runs[i].id / "this/log"));
    }
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, ARunThatEndedWhileNoRunnerWatchedIsCollected) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.1"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    ASSERT_TRUE(eventually([&] { return lab.trainers().empty(); }));
    EXPECT_EQ(resume(lab).exitCode, 0);
    const auto runs = lab.runs();
    EXPECT_EQ(outcomes(runs), std::vector<Outcome>{Outcome::Ok});
    EXPECT_EQ(iterationsOf(lab.log(runs.at(0))), oneTo(20));
}

TEST(Fault, ARunThatEndedInTimeIsOkHoweverLateItIsResumed) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}}, {{"timeout_s", 3}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const TimePoint started = *lab.runs().at(0).started;
    ASSERT_TRUE(
        eventually([&] { return lab.trainers().empty() && now() - started > std::chrono::seconds(4); }));
    EXPECT_EQ(resume(lab).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Ok});
}

TEST(Fault, ARunnerMayBeKilledAtAnyMoment) {
    Lab lab;
    pid_t runner = lab.start(lab.runArguments(lab.plan({}, {{"repetitions", 2}})));
    ASSERT_TRUE(eventually([&] { return !lab.runs().empty(); }));
    for (int kills = 0; kills < 6; ++kills) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60 + 70 * kills));
        ::kill(runner, SIGKILL);
        (void)lab.wait(runner);
        runner = lab.start({"resume", "--workspace", lab.workspace.root().string()});
    }
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    const auto runs = lab.runs();
    EXPECT_EQ(runs.size(), 2U);
    for (const RunState& run : runs) {
        EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
        EXPECT_EQ(iterationsOf(lab.log(run)), oneTo(20));
    }
    EXPECT_EQ(runs.at(0).repetition, 1);
    EXPECT_EQ(runs.at(1).repetition, 2);
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, ATrainerThatDiedWithItsMachineIsNamed) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    for (const pid_t trainer : lab.trainers()) {
        ::kill(trainer, SIGKILL);
    }
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    EXPECT_THAT(lab.runs().at(0).reason, HasSubstr("left no exit code"));
}

TEST(Fault, ADetachedRunnerOutlivesItsStarter) {
    Lab lab;
    const Ended started = lab.dlperf(lab.runArguments(lab.plan({{"seconds", "0.1"}}), {"--detach"}));
    EXPECT_EQ(started.exitCode, 0) << started.errors;
    ASSERT_TRUE(lab.waitForLog(0));
    const auto owner = readLock(lab.workspace);
    ASSERT_TRUE(owner);
    EXPECT_EQ(owner->campaign + "\n", started.output);
    EXPECT_EQ(::getsid(static_cast<pid_t>(owner->process.pid)), owner->process.pid);
    ::kill(static_cast<pid_t>(owner->process.pid), SIGHUP);
    ASSERT_TRUE(lab.waitForFinish());
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Ok});
    EXPECT_THAT(slurp(lab.workspace.campaigns() / owner->campaign / "runner.log"),
                HasSubstr("16.00 images/s"));
}

TEST(Fault, ADetachedRunnerThatCannotBeginSaysWhy) {
    Lab lab;
    const Ended first = lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "endless"}}), {"--detach"}));
    EXPECT_EQ(first.exitCode, 0) << first.errors;
    const Ended second = lab.dlperf(lab.runArguments(lab.plan({}), {"--detach"}));
    EXPECT_EQ(second.exitCode, 1);
    EXPECT_THAT(second.errors, HasSubstr("another runner works in this workspace"));
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    EXPECT_TRUE(lab.waitForFinish());
}

TEST(Fault, TwoRunnersDoNotShareAWorkspace) {
    Lab lab;
    const pid_t first = lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const Ended second = lab.dlperf(lab.runArguments(lab.plan({})));
    EXPECT_EQ(second.exitCode, 1);
    EXPECT_THAT(second.errors, HasSubstr("process " + std::to_string(first)));
    EXPECT_EQ(lab.status().size(), 1U);
    ::kill(first, SIGTERM);
    EXPECT_EQ(lab.wait(first).exitCode, 1);
}

TEST(Fault, ACancelEndsTheRunAndLeavesOutTheRest) {
    Lab lab;
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}}, {{"repetitions", 3}})));
    ASSERT_TRUE(lab.waitForLog(0));
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    const auto runs = lab.runs();
    EXPECT_EQ(outcomes(runs), (std::vector{Outcome::Cancelled, Outcome::NotRun, Outcome::NotRun}));
    EXPECT_TRUE(lab.status().back().finished());
    EXPECT_THAT(runs.at(0).path.filename().string(), HasSubstr(".attempt1"));
    EXPECT_GT(iterationsOf(lab.log(runs.at(0))).size(), 1U);
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, SignalsCancelCleanly) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        Lab lab;
        const pid_t runner = lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}})));
        ASSERT_TRUE(lab.waitForLog(0));
        ::kill(runner, number);
        EXPECT_EQ(lab.wait(runner).exitCode, 1);
        EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Cancelled});
        EXPECT_TRUE(lab.trainers().empty());
    }
}

// Its trainer has ended, and more runs are to come: none of them begins.
TEST(Fault, ASignalBetweenTheRunsOfAMeasurementEndsIt) {
    if (!std::filesystem::exists(DLPERF_BINARY_DIR "/bin/dlperf-worker")) {
        GTEST_SKIP() << "this build has no worker";
    }
    Lab lab;
    const pid_t bench = lab.start({"bench", "links", lab.cluster(3, {{"devices", 1}}).string(), "--workspace",
                                   lab.workspace.root().string()});
    ASSERT_TRUE(eventually([&lab] {
        const auto links = store::Workspace::open(lab.workspace.linkRuns());
        const auto campaigns = links ? readStatus(*links).campaigns : std::vector<Campaign>();
        return !campaigns.empty() && campaigns.front().finished();
    }));
    ::kill(bench, SIGTERM);
    EXPECT_NE(lab.wait(bench).exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(lab.workspace.linkBaseline()));
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, SignalsThatTheStarterIgnoresStayIgnored) {
    Lab lab;
    lab.ignoredSignals = "HUP INT";  // nohup, and a shell's background
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGHUP);
    ::kill(runner, SIGINT);
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Ok});
}

TEST(Fault, AStarterThatIgnoresItsChildrenIsNoTrouble) {
    Lab lab;
    lab.ignoredSignals = "CHLD";
    auto arguments = lab.runArguments(lab.plan({}), {"--cluster", lab.cluster(1).string()});
    const Ended ended = lab.dlperf(arguments);
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Ok});
}

TEST(Fault, OneRunCanBeCancelledAndTheOthersGoOn) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(
        lab.plan({{"seconds", "0.2"}}, {{"recipes", {"toy-measured"}}, {"repetitions", 3}, {"train", 40}})));
    ASSERT_TRUE(lab.waitForLog(0));
    for (const std::string& run : {lab.runs().at(0).id, std::string("3")}) {
        EXPECT_EQ(lab.dlperf({"cancel", "--workspace", lab.workspace.root().string(), "--run", run}).exitCode,
                  0)
            << run;
    }
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    EXPECT_EQ(outcomes(lab.runs()), (std::vector{Outcome::Cancelled, Outcome::Ok, Outcome::NotRun}));
    EXPECT_EQ(
        lab.dlperf({"cancel", "--workspace", lab.workspace.root().string(), "--run", "none/0001"}).exitCode,
        2);
}

// As a script has it whose variable was never set.
TEST(Fault, ACancelOfARunWithoutANameCancelsNothing) {
    Lab lab;
    const pid_t runner = lab.start(
        lab.runArguments(lab.plan({{"seconds", "0.2"}}, {{"recipes", {"toy-measured"}}, {"train", 40}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const Ended cancel = lab.dlperf({"cancel", "--workspace", lab.workspace.root().string(), "--run", ""});
    EXPECT_EQ(cancel.exitCode, 2);
    EXPECT_THAT(cancel.errors, HasSubstr("--run"));
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector{Outcome::Ok});
}

TEST(Fault, ACampaignWhoseRunnerDiedCanBeCancelled) {
    Lab lab;
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", lab.workspace.root().string()}).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), (std::vector{Outcome::Cancelled, Outcome::NotRun}));
    EXPECT_TRUE(lab.status().back().finished());
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, AnUnreadableOldCampaignDisablesNothing) {
    Lab lab;
    const std::string w = lab.workspace.root().string();
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const fs::path broken = lab.workspace.campaigns() / "19990101-000000-0000";
    fs::create_directories(broken);
    std::ofstream(broken / "campaign.json") << "{ torn";
    const Ended status = lab.dlperf({"status", "--json", "--workspace", w});
    EXPECT_EQ(status.exitCode, 1);
    EXPECT_THAT(status.errors, HasSubstr("19990101-000000-0000/campaign.json"));
    EXPECT_THAT(status.output, HasSubstr("\"state\": \"running\""));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const Ended cancelled = lab.dlperf({"cancel", "--workspace", w});
    EXPECT_EQ(cancelled.exitCode, 1) << "one campaign could not be looked at";
    EXPECT_TRUE(lab.trainers().empty());
    const Ended resumed = resume(lab);
    EXPECT_EQ(resumed.exitCode, 1);
    EXPECT_THAT(resumed.errors, HasSubstr("19990101-000000-0000/campaign.json"));
    fs::remove_all(broken);
    EXPECT_EQ(outcomes(lab.runs()), (std::vector{Outcome::Cancelled, Outcome::NotRun}));
}

TEST(Fault, ADamagedJournalIsRefusedAndTheOtherCampaignsGoOn) {
    const auto shorten = [](const fs::path& journal) {
        std::string text = slurp(journal);
        text.resize(text.find("\"event\":\"ending\""));
        std::ofstream(journal, std::ios::binary) << text.substr(0, text.rfind('\n') + 1);
    };
    const std::vector<std::pair<std::string, std::function<void(const fs::path&)>>> damages{
        {"gone", [](const fs::path& journal) { fs::remove(journal); }},
        {"empty", [](const fs::path& journal) { std::ofstream{journal}; }},
        {"shortened", shorten},
        {"garbled", [](const fs::path& journal) {
             std::string text = slurp(journal);
             text[1] = '\0';
             std::ofstream(journal, std::ios::binary) << text;
         }}};
    Lab lab;
    for (std::size_t i = 0; i < damages.size(); ++i) {
        ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "crash"}}))).exitCode, 1);
    }
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const auto campaigns = campaignIds(lab.workspace);
    for (std::size_t i = 0; i < damages.size(); ++i) {
        damages[i].second(journalFile(lab.workspace, campaigns.at(i)));
    }
    const Ended resumed = resume(lab);
    EXPECT_EQ(resumed.exitCode, 1) << "some campaigns could not be looked at";
    const Campaign last = readStatus(lab.workspace).campaigns.back();
    EXPECT_EQ(outcomes(last.runs), std::vector<Outcome>{Outcome::Ok});
    for (std::size_t i = 0; i < damages.size(); ++i) {
        const std::string journal = "campaigns/" + campaigns.at(i) + "/journal.jsonl: ";
        EXPECT_THAT(resumed.errors, HasSubstr(journal)) << damages[i].first;
        EXPECT_THAT(resumed.errors, HasSubstr("campaign " + campaigns[i] + " is skipped"));
    }
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(last.runs.at(0).path.parent_path())) {
        folders += entry.is_directory() ? 1 : 0;
    }
    EXPECT_EQ(folders, damages.size() + 1) << "no run ran again";
}

TEST(Fault, APauseHoldsTheNextRunUntilItIsOver) {
    Lab lab;
    const std::string w = lab.workspace.root().string();
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const Ended paused = lab.dlperf({"pause", "--workspace", w});
    EXPECT_EQ(paused.exitCode, 0);
    EXPECT_THAT(paused.errors, HasSubstr("the runner was asked to start no further run"));
    ASSERT_TRUE(eventually([&] { return lab.status().back().paused; }));
    ASSERT_TRUE(eventually([&] { return lab.runs().at(0).phase == RunPhase::Finished; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));  // time enough to begin, were it not held
    EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Ok);
    EXPECT_EQ(lab.runs().at(1).phase, RunPhase::Queued);
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", w}).exitCode, 0);
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>(2, Outcome::Ok));
    const Ended nobody = lab.dlperf({"pause", "--workspace", w});
    EXPECT_EQ(nobody.exitCode, 0) << "there is nothing to do";
    EXPECT_THAT(nobody.errors, HasSubstr("there is nothing to pause"));
}

TEST(Fault, APauseThatADeadRunnerWasAskedForHoldsNothing) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    ASSERT_TRUE(writeRequest(lab.workspace, Request::Pause));
    EXPECT_EQ(resume(lab).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>(2, Outcome::Ok));
}

TEST(Fault, ARequestThatCannotBeRemovedIsTold) {
    Lab lab;
    const fs::path request = lab.workspace.requests() / "1.json";
    fs::create_directories(request / "in the way");
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan()));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr(request.string() + ": the request cannot be removed"));
}

// Nobody here can see whether it lives.
TEST(Fault, ARunnerOfAnotherHostThatTakesNoRequestIsNamed) {
    Lab lab;
    const std::string w = lab.workspace.root().string();
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const std::string lock = lab.workspace.lockFile().string();
    Json owner = Json::parse(slurp(lock));
    owner["host"] = "elsewhere";
    std::ofstream(lock) << owner.dump();
    for (const char* command : {"resume", "cancel", "pause"}) {
        const Ended ended = lab.dlperf({command, "--workspace", w});
        EXPECT_EQ(ended.exitCode, 1) << command;
        EXPECT_THAT(ended.errors, AllOf(HasSubstr("on elsewhere, campaign"),
                                        HasSubstr("If it no longer runs there, remove " + lock)));
    }
    EXPECT_THAT(lab.dlperf({"status", "--workspace", w}).output,
                HasSubstr("running on elsewhere, not checked"));
    EXPECT_EQ(takeRequests(lab.workspace).requests.size(), 3U) << "it may look later";
    {
        const std::jthread takes(
            [&] { EXPECT_TRUE(eventually([&] { return !takeRequests(lab.workspace).requests.empty(); })); });
        EXPECT_EQ(lab.dlperf({"pause", "--workspace", w}).exitCode, 0);
    }
    fs::remove(lock);
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", w}).exitCode, 0);
    EXPECT_TRUE(lab.trainers().empty());
}

// As if the clock had been set back since.
TEST(Fault, AStartInTheFutureGivesARunNoMoreThanItsTime) {
    Lab lab;
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}}, {{"timeout_s", 5}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const fs::path journal = lab.runs().at(0).path / "journal.jsonl";
    const auto events = readJournal(journal);
    ASSERT_TRUE(events);
    std::ofstream changed(journal, std::ios::binary);
    for (Event event : *events) {
        event.time += std::chrono::hours(1);
        changed << toJson(event).dump() << '\n';
    }
    changed.close();
    EXPECT_EQ(resume(lab).exitCode, 1);
    EXPECT_THAT(lab.runs().at(0).reason, HasSubstr("did not end within its 5 s"));
    EXPECT_TRUE(lab.trainers().empty());
}

// Trainers that do not want to end, as they come: deaf to SIGTERM, in new sessions (torchrun), double forked.
class Stubborn : public testing::TestWithParam<const char*> {};

TEST_P(Stubborn, TrainersAreStoppedWithAllTheyStarted) {
    Lab lab;
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", GetParam()}, {"lines", "100000"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    EXPECT_GT(lab.trainers().size(), 1U);
    ::kill(runner, SIGTERM);
    EXPECT_EQ(lab.wait(runner).exitCode, 1);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>{Outcome::Cancelled});
    EXPECT_TRUE(lab.trainers().empty());
}

INSTANTIATE_TEST_SUITE_P(Fault, Stubborn, testing::Values("stubborn", "sessions", "doublefork"));

TEST(Fault, WhatATrainerLeavesBehindIsStoppedToo) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "doublefork"}})));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Fault, ATornJournalLineNeverHappened) {
    Lab lab;
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.05"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const RunState run = lab.runs().at(0);
    for (const fs::path& journal :
         {lab.workspace.campaigns() / lab.status().back().id / "journal.jsonl", run.path / "journal.jsonl"}) {
        std::ofstream(journal, std::ios::app) << R"({"event":"ended","run":0,"outco)";
    }
    EXPECT_EQ(resume(lab).exitCode, 0);
    EXPECT_EQ(outcomes(lab.runs()), std::vector<Outcome>(2, Outcome::Ok));
    EXPECT_EQ(iterationsOf(lab.log(lab.runs().at(0))), oneTo(20));
}

TEST(Fault, AJournalThatIsLostOrDamagedIsNoInterruption) {
    Lab lab;
    const std::string w = lab.workspace.root().string();
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"seconds", "0.1"}}))).exitCode, 0);
    const fs::path journal = journalFile(lab.workspace, lab.status().back().id);
    std::ofstream(journal, std::ios::trunc).flush();
    EXPECT_THAT(lab.dlperf({"status", "--workspace", w}).output,
                HasSubstr("interrupted, and `dlperf resume` refuses it: " + journal.string() +
                          ": the journal lacks its end"));
    EXPECT_THAT(lab.dlperf({"show", "1", "--workspace", w}).output,
                HasSubstr("`dlperf resume` refuses its campaign: "));
    EXPECT_THAT(lab.dlperf({"logs", "1", "--follow", "--workspace", w}).errors,
                Not(HasSubstr("`dlperf resume` goes on")));
    fs::remove(journal);
    EXPECT_THAT(lab.dlperf({"status", "--workspace", w}).output, HasSubstr("the journal lacks its end"));
    EXPECT_EQ(lab.dlperf({"resume", "--workspace", w}).exitCode, 1);
    EXPECT_EQ(lab.dlperf({"retry", "--workspace", w}).exitCode, 1);
    std::ofstream(journal) << "x\n";
    const Ended retry = lab.dlperf({"retry", "--workspace", w});
    EXPECT_EQ(retry.exitCode, 1) << "it is no wrong usage";
    EXPECT_THAT(retry.errors, HasSubstr("line 1 of the journal is damaged"));
    EXPECT_EQ(lab.dlperf({"retry", "--workspace", w, "--campaign", "nothing"}).exitCode, 2);
}

TEST(Fault, ACampaignWhoseRunnerWroteNothingHasNotBegun) {
    Lab lab;
    const std::string w = lab.workspace.root().string();
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan({{"seconds", "0.1"}}))).exitCode, 0);
    const RunState run = lab.runs().at(0);
    fs::remove_all(run.path);
    fs::remove(journalFile(lab.workspace, run.campaign));
    EXPECT_THAT(lab.dlperf({"status", "--workspace", w}).output,
                HasSubstr("not begun, `dlperf resume` begins it"));
}

}  // namespace
}  // namespace dlperf::run
