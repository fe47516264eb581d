// SPDX-License-Identifier: Apache-2.0
// One run from claim to verdict, with something in between that goes wrong.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include "core/run/node_scripts.h"
#include "core/store/fields.h"
#include "core/store/run_record.h"
#include "tests/run/bench.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool sendsSignals(const remote::Command& command) {
    return command.script.find("\nspare=") != std::string::npos;
}

TEST(Execution, AProcessThatSurvivesFailsTheRunAndKeepsTheNode) {
    Bench bench;
    bench.transports["a"]->after = [](const remote::Command& command, remote::CommandResult& result) {
        if (sendsSignals(command)) {
            result.output += "4000001\n4000002\n";
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_EQ(end->results.at(0).reason, "node a: processes 4000001, 4000002 are still running");
    EXPECT_TRUE(fs::exists(bench.lockOf("a"))) << "the next run would be measured beside them";
}

TEST(Execution, ANodeThatCannotBeStoppedFailsTheRunAndSaysWhy) {
    Bench bench;
    bench.transports["a"]->before = [](const remote::Command& command) {
        return sendsSignals(command) ? std::optional(Error{"it hangs", "node a", {}, ErrorKind::Work})
                                     : std::nullopt;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("node a could not be stopped: it hangs"));
    EXPECT_TRUE(fs::exists(bench.lockOf("a")));
}

TEST(Execution, WhatARunLeftOnANodeThatWasAwayIsStoppedBeforeTheNext) {
    Bench bench(
        2, {{"recipes", {"toy-measured"}}, {"topologies", {"2n1g"}}, {"repetitions", 2}, {"timeout_s", 20}});
    std::atomic<bool> away = false;
    bench.transports["b"]->before = [&](const remote::Command& command) {
        return away && sendsSignals(command)
                   ? std::optional(Error{"gone", "node b", {}, ErrorKind::Transient})
                   : std::nullopt;
    };
    bench.told = [&](const RunState& run) {
        away = run.id.ends_with("/0001") && run.phase != RunPhase::Finished;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("node b could not be stopped: gone"));
    EXPECT_EQ(end->results.at(1).outcome, Outcome::Ok) << end->results.at(1).reason;
    EXPECT_FALSE(fs::exists(bench.lockOf("b")));
    remote::LocalTransport here("here");
    const auto left = here.run({signalScript("/none", end->results.at(0).id, "KILL", false), {}}, {});
    ASSERT_TRUE(left);
    EXPECT_EQ(left->output, "") << "processes of the first run";
}

TEST(Execution, KeepsWhatTheChecksWarnedOfWithItsRuns) {
    Bench bench;
    bench.inputs.warnings = {{"check", "Load: load 3.7 on 2 cores", "a"}};
    const Campaign campaign = bench.create();
    const auto again = readCampaign(bench.workspace, campaign.id);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->warnings, bench.inputs.warnings);
    const auto end = bench.run(*again);
    ASSERT_TRUE(end) << describe(end.error());
    const auto record = store::readRunRecord(bench.workspace.root() / end->results.at(0).folder);
    ASSERT_TRUE(record) << describe(record.error());
    EXPECT_EQ(record->facts.at("check_warnings"), store::findingsJson(bench.inputs.warnings));
}

TEST(Execution, AClaimThatWasCutShortLeavesNoLock) {
    Bench bench;
    bench.transports["a"]->after = [](const remote::Command& command, remote::CommandResult& result) {
        if (command.script.find("echo \"home $HOME\"") != std::string::npos) {
            result = {1, {}, "the connection ended here", false};  // after the lock was taken
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("the connection ended here"));
    EXPECT_FALSE(fs::exists(bench.lockOf("a")));
}

TEST(Execution, ANodeThatOnlyItsLockKeepsIsKeptAndItsLossEndsTheRun) {
    Bench bench(2, {{"recipes", {"toy-first"}}, {"topologies", {"2n1g"}}}, {{"behaviour", "endless"}});
    bench.settings.heartbeat = std::chrono::milliseconds(50);
    std::atomic<int> refreshed = 0;
    bench.transports["b"]->after = [&](const remote::Command& command, remote::CommandResult&) {
        if (command.script.find("touch -c") != std::string::npos && ++refreshed == 3) {
            std::ofstream(bench.lockOf("b") / "run") << "other/0007\n";
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("run other/0007 has taken the node"));
    EXPECT_GE(refreshed, 4);
    EXPECT_FALSE(fs::exists(bench.lockOf("a")));
    EXPECT_TRUE(fs::exists(bench.lockOf("b"))) << "it is the other run's";
}

TEST(Execution, ARunThatWaitsForOneNodeHoldsNoOther) {
    Bench bench(2, {{"topologies", {"2n1g"}}});
    fs::create_directories(bench.lockOf("b"));
    std::ofstream(bench.lockOf("b") / "run") << "other/0001\n";
    int waits = 0;
    bench.told = [&](const RunState& run) {
        if (run.message.find("waits for node b, which is busy with run other/0001") != std::string::npos) {
            EXPECT_FALSE(fs::exists(bench.lockOf("a")));
            if (++waits == 2) {
                fs::remove_all(bench.lockOf("b"));
            }
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
    EXPECT_EQ(waits, 2);
}

TEST(Execution, ATrainerThatFloodsItsLogStillEndsWithItsTime) {
    Bench bench(1, {{"timeout_s", 1}}, {{"behaviour", "endless"}});
    bench.transports["a"]->reading = [](const std::string& path,
                                        std::size_t most) -> std::optional<remote::FileChunk> {
        if (!path.ends_with("/log")) {
            return std::nullopt;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return remote::FileChunk{std::string(most, '\n'), false};  // never at its end
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("did not end within its 1 s"));
}

// Files of a Slurm job are read on the login node, whose NFS remembers for a while how long a file was.
TEST(Execution, ALogThatIsReadAtAnOlderSizeIsWaitedForAtItsEnd) {
    Bench bench;
    std::atomic<bool> ended = false;
    std::atomic<int> stale = 0;
    bench.transports["a"]->after = [&](const remote::Command& command, remote::CommandResult&) {
        ended = ended || command.script.find("sha256sum <log") != std::string::npos;
    };
    bench.transports["a"]->reading = [&](const std::string& path,
                                         std::size_t) -> std::optional<remote::FileChunk> {
        const bool old = path.ends_with("/log") && (!ended || ++stale < 3);
        return old ? std::optional(remote::FileChunk{}) : std::nullopt;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
}

// The same for a file that was not there when it was looked for.
TEST(Execution, AnExitCodeThatIsNotSeenYetIsAskedOfTheNodeItself) {
    Bench bench;
    bench.transports["a"]->reading = [&](const std::string& path, std::size_t) {
        return path.ends_with("/exit") ? std::optional(remote::FileChunk{{}, true}) : std::nullopt;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
}

TEST(Execution, ALogThatCannotBeBroughtHomeLeavesTheRunOpen) {
    Bench bench;
    const Campaign campaign = bench.create();
    const fs::path log = bench.workspace.logs() / "toy/b8_fp32/1n1g/r50_b8_fp32_1/node0.log";
    bench.told = [&](const RunState& run) {
        if (run.phase == RunPhase::Preparing) {
            fs::create_directories(log / "in the way");
        }
    };
    const auto end = bench.run(campaign);
    ASSERT_FALSE(end);
    EXPECT_THAT(describe(end.error()),
                HasSubstr("node0.log: the log's copy cannot be written: Is a directory"));
    EXPECT_FALSE(readStatus(bench.workspace).campaigns.at(0).finished());
    EXPECT_FALSE(fs::exists(bench.lockOf("a")));
    fs::remove_all(log);
    const auto resumed = bench.run(campaign);
    ASSERT_TRUE(resumed) << describe(resumed.error());
    EXPECT_THAT(resumed->results.at(0).reason, HasSubstr("Is a directory")) << "why it was stopped";
    EXPECT_TRUE(fs::exists(bench.workspace.root() / resumed->results[0].folder / "node0.log"));
}

TEST(Execution, RefusesToResumeACampaignWhoseFilesWereChanged) {
    Bench bench(2);
    const Campaign campaign = bench.create();
    EXPECT_TRUE(prepareAgain(*readCampaign(bench.workspace, campaign.id),
                             *readInputs(bench.workspace, campaign.id), Vocabulary{}, {}));
    const auto said = [&](const std::function<void(CampaignInputs&)>& change) {
        CampaignInputs inputs = bench.inputs;
        change(inputs);
        const auto prepared = prepareAgain(campaign, inputs, Vocabulary{}, {});
        return prepared ? std::string() : describe(prepared.error());
    };
    EXPECT_EQ(said([](CampaignInputs&) {}), "");
    EXPECT_THAT(said([](CampaignInputs& i) { i.plan.batchSizes = {16}; }), HasSubstr("another case"));
    EXPECT_THAT(said([](CampaignInputs& i) { i.plan.train = 99; }), HasSubstr("another measurement range"));
    EXPECT_THAT(said([](CampaignInputs& i) { i.plan.nodes = {"b"}; }), HasSubstr("other nodes"));
    EXPECT_THAT(said([](CampaignInputs& i) {
                    for (launch::Recipe& recipe : i.recipes.recipes) {
                        recipe.unit = "sentences/s";
                    }
                }),
                HasSubstr("another unit"));
    EXPECT_THAT(said([](CampaignInputs& i) { i.plan.repetitions = 2; }), HasSubstr("gives 2 runs"));
}

TEST(Execution, WhatIsNotMissingIsWrittenBeforeTheCampaignIs) {
    Bench bench;
    ASSERT_TRUE(bench.run(bench.create()));
    const auto more = createCampaign(bench.workspace, bench.inputs, bench.prepared, bench.settings,
                                     countFigures(bench.workspace, bench.prepared).value());
    ASSERT_TRUE(more) << describe(more.error());
    EXPECT_LE(fs::last_write_time(journalFile(bench.workspace, more->id)),
              fs::last_write_time(campaignFolder(bench.workspace, more->id) / "campaign.json"))
        << "a runner that is killed in between forgets it";
    EXPECT_TRUE(readStatus(bench.workspace).campaigns.back().runs.at(0).alreadyThere);
    launch::PreparedPlan longer = bench.prepared;
    ++longer.runs.front().range.train;
    EXPECT_TRUE(countFigures(bench.workspace, longer).value().empty()) << "they are over another range";
}

TEST(Execution, WhatWasSkippedAtTheStartStaysSo) {
    Bench bench(2, {{"topologies", {"1n1g", "2n1g"}}});
    std::erase_if(bench.prepared.runs,
                  [](const launch::PlannedRun& run) { return run.benchmarkCase.topology.nodes == 2; });
    const Campaign campaign = bench.create();
    const auto again = prepareAgain(campaign, bench.inputs, Vocabulary{}, {});
    ASSERT_TRUE(again) << describe(again.error());
    ASSERT_EQ(again->runs.size(), 1U);
    EXPECT_EQ(again->runs[0].benchmarkCase.topology, (Topology{1, 1}));
}

TEST(Execution, AFolderThatAnotherCampaignTookMeanwhileIsLeftAlone) {
    Bench bench;
    const Campaign interrupted = bench.create();
    {
        auto journal = Journal::open(campaignFolder(bench.workspace, interrupted.id) / "journal.jsonl");
        ASSERT_TRUE(journal);
        ASSERT_TRUE(journal->write({event::Began{1, "logs/toy/b8_fp32/1n1g/r50_b8_fp32_1"}, 0}));
    }
    const Campaign second = bench.create();
    const auto end = bench.run(second);
    ASSERT_TRUE(end) << describe(end.error());
    ASSERT_EQ(end->results.at(0).folder, "logs/toy/b8_fp32/1n1g/r50_b8_fp32_1");
    const auto resumed = bench.run(interrupted);
    ASSERT_TRUE(resumed) << describe(resumed.error());
    EXPECT_EQ(resumed->results.at(0).outcome, Outcome::Ok);
    EXPECT_EQ(resumed->results.at(0).repetition, 2);
    EXPECT_EQ(resumed->results.at(0).folder, "logs/toy/b8_fp32/1n1g/r50_b8_fp32_2");
    EXPECT_EQ(store::readRunRecord(bench.workspace.root() / end->results[0].folder)->result.id,
              end->results[0].id);
}

// The journal's last line, "ended", never came to be written.
void removeLastEvent(const fs::path& journal) {
    const auto events = readJournal(journal).value();
    ASSERT_TRUE(std::get<event::Ended>(events.back().what).named);
    std::ofstream shorter(journal, std::ios::binary);
    std::for_each(events.begin(), events.end() - 1,
                  [&](const Event& event) { shorter << toJson(event).dump() << '\n'; });
}

TEST(Execution, AFolderThatTookTheNameOfARenamedOneIsLeftAlone) {
    Bench bench(1, Json::object(), {{"behaviour", "crash"}});
    const Campaign campaign = bench.create();
    ASSERT_TRUE(bench.run(campaign));
    ASSERT_NO_FATAL_FAILURE(removeLastEvent(journalFile(bench.workspace, campaign.id)));
    const RunState run = readStatus(bench.workspace).campaigns.at(0).runs.at(0);
    const fs::path another = bench.workspace.root() / run.workFolder;
    fs::create_directories(another);
    std::ofstream(another / "run.json") << slurp(run.path / "run.json");
    const auto resumed = bench.run(campaign);
    ASSERT_TRUE(resumed) << describe(resumed.error());
    EXPECT_EQ(resumed->results.at(0).outcome, Outcome::Failed);
    EXPECT_TRUE(fs::exists(another / "run.json"));
}

TEST(Execution, ARunWhoseVerdictStandsOnlyGetsItsNames) {
    for (const char* behaviour : {"train", "crash"}) {
        Bench bench(1, Json::object(), {{"behaviour", behaviour}});
        const Campaign campaign = bench.create();
        const auto end = bench.run(campaign);
        ASSERT_TRUE(end) << describe(end.error());
        ASSERT_NO_FATAL_FAILURE(removeLastEvent(journalFile(bench.workspace, campaign.id)));
        std::vector<RunState> told;
        bench.told = [&](const RunState& run) { told.push_back(run); };
        const auto resumed = bench.run(campaign);
        ASSERT_TRUE(resumed) << describe(resumed.error());
        EXPECT_EQ(resumed->results.at(0).outcome, end->results.at(0).outcome);
        EXPECT_EQ(resumed->results[0].throughput, end->results[0].throughput);
        EXPECT_EQ(resumed->results[0].folder, end->results[0].folder);
        ASSERT_EQ(told.size(), 1U) << "nothing ran again";
        EXPECT_TRUE(readStatus(bench.workspace).campaigns.at(0).finished());
    }
}

}  // namespace
}  // namespace dlperf::run
