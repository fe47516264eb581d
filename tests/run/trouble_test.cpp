// SPDX-License-Identifier: Apache-2.0
// Nodes that give no sign of themselves while a run goes: what is told, to whom, and what becomes of the run.
#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

#include "core/run/node_scripts.h"
#include "core/store/results.h"
#include "core/store/run_record.h"
#include "tests/run/bench.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

using Kind = NodeAlert::Kind;

// A log may be silent for a second and two iterations.
diagnosis::Rules quickRules() {
    const Json rule{{"id", "stall"},
                    {"severity", "warn"},
                    {"stall", {{"seconds", 1}, {"iterations", 2}}},
                    {"what", "{node} has printed nothing for {silence}, usually {usual}."},
                    {"remedy", "Look."}};
    return std::make_shared<const diagnosis::RuleSet>(
        diagnosis::RuleSet::fromJson({{"rules", {rule}}}, "rules").value());
}

auto alert(Kind kind, const std::string& node) {
    return AllOf(Field(&NodeAlert::kind, kind), Field(&NodeAlert::node, node));
}

TEST(Alert, ALogOfAnyNodeThatStandsStillIsTold) {
    Bench bench(2, {{"topologies", {"2n1g"}}}, {{"behaviour", "second-stalls"}});
    bench.settings.rules = quickRules();
    std::vector<NodeAlert> seen;
    std::vector<NodeAlert> asked;
    bench.told = [&](const RunState& run) {
        if (seen.empty() && !run.alerts.empty()) {
            seen = run.alerts;
            asked = readStatus(bench.workspace).campaigns.at(0).runs.at(0).alerts;
            EXPECT_TRUE(writeRequest(bench.workspace, Request::Cancel));
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Cancelled) << end->results.at(0).reason;
    ASSERT_THAT(seen, ElementsAre(alert(Kind::Silent, "b")));
    EXPECT_EQ(seen[0].usual, 0.5);
    EXPECT_EQ(asked, seen) << "who asks for the status is told the same";
    EXPECT_THAT(hintsOf(bench.settings.rules, seen, seen[0].since + 90s).at(0).what,
                "b has printed nothing for 90 s, usually 0.5 s.");
    EXPECT_THAT(readStatus(bench.workspace).campaigns.at(0).runs.at(0).alerts, testing::IsEmpty());
}

// There is no second node by which to know whether it is the node or our own network.
TEST(Alert, ALoneNodeThatIsGoneIsToldOfAndWaitedForUntilItsTimeIsOver) {
    Bench bench(1, {{"timeout_s", 10}}, {{"behaviour", "endless"}});
    bench.settings.lostAfter = 1s;
    bench.settings.unreachableGrace = 200ms;
    std::vector<NodeAlert> seen;
    bench.told = [&](const RunState& run) {
        bench.transports["a"]->away = bench.transports["a"]->away || run.iteration >= 1;
        seen = run.alerts.empty() ? seen : run.alerts;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    ASSERT_THAT(seen, ElementsAre(alert(Kind::NotReached, "a")));
    EXPECT_FALSE(seen[0].othersAnswer);
    EXPECT_EQ(seen[0].why, "it is gone");
    const RunResult& result = end->results.at(0);
    EXPECT_EQ(result.outcome, Outcome::Failed);
    EXPECT_THAT(result.reason,
                AllOf(HasSubstr("did not end within its 10 s"), HasSubstr("node a was not reached for"),
                      HasSubstr("node a could not be stopped: it is gone")));
    bench.transports["a"]->away = false;
    bench.told = {};
    const auto next = bench.run(bench.create());
    ASSERT_TRUE(next) << describe(next.error());
    EXPECT_THAT(next->results.at(0).reason, Not(HasSubstr("busy"))) << "what was left there was stopped";
    EXPECT_FALSE(std::filesystem::exists(bench.lockOf("a")));
    remote::LocalTransport here("here");
    EXPECT_EQ(here.run({signalScript("/none", result.id, "KILL", false), {}}, {}).value().output, "");
}

TEST(Alert, ARunThatEndsInTimeWhileTheWayIsCutIsOk) {
    Bench bench(1, {{"timeout_s", 10}}, {{"seconds", "0.05"}});
    Watched& node = *bench.transports["a"];
    std::jthread heals;
    bench.told = [&](const RunState& run) {
        if (!heals.joinable() && run.iteration >= 3) {
            node.away = true;
            heals = std::jthread([&] {
                std::this_thread::sleep_for(12s);  // longer than its time
                node.away = false;
            });
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
}

// A laptop that was closed: nothing of the runner goes on, and what its nodes answer comes late.
TEST(Alert, ARunThatEndsInTimeWhileItsRunnerSleepsIsOk) {
    Bench bench(1, {{"timeout_s", 5}}, {{"seconds", "0.05"}});
    const auto begun = std::chrono::steady_clock::now();
    std::atomic<bool> asleep = false;
    const auto sleep = [&] { std::this_thread::sleep_until(begun + 10s); };  // longer than the run's time
    bench.transports["a"]->reading = [&](const std::string&, std::size_t) {
        if (asleep) {
            sleep();
            std::this_thread::sleep_for(500ms);
        }
        return std::optional<remote::FileChunk>();
    };
    bench.told = [&](const RunState& run) {
        if (!asleep && run.iteration >= 3) {
            asleep = true;
            sleep();
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
}

// Longer than a node is given that is away while others answer. What is cut is the end of one run and the
// beginning of the next.
TEST(Alert, WhileNoNodeAnswersARunThatEndedAndTheNextAreWaitedFor) {
    for (const RunPhase cutIn : {RunPhase::Stopping, RunPhase::Finished}) {
        Bench bench(1, {{"repetitions", 2}});
        Watched& node = *bench.transports["a"];
        std::jthread heals;
        bench.told = [&](const RunState& run) {
            if (!heals.joinable() && run.phase == cutIn) {
                node.away = true;
                heals = std::jthread([&] {
                    std::this_thread::sleep_for(4s);
                    node.away = false;
                });
            }
        };
        const auto end = bench.run(bench.create());
        ASSERT_TRUE(end) << describe(end.error());
        for (const RunResult& result : end->results) {
            EXPECT_EQ(result.outcome, Outcome::Ok) << result.reason;
        }
    }
}

// However long it waited before for a node that was busy.
TEST(Alert, ANodeThatIsAwayForAMomentIsGivenTimeFromThenOn) {
    Bench bench(2, {{"topologies", {"2n1g"}}});
    bench.settings.retryTimeout = 1500ms;
    const auto begun = std::chrono::steady_clock::now();
    bench.transports["b"]->before = [&](const remote::Command&) {
        const auto since = std::chrono::steady_clock::now() - begun;
        return since > 3s && since < 3500ms ? std::optional(Error{"it is gone", {}, {}, ErrorKind::Transient})
                                            : std::nullopt;
    };
    bench.transports["b"]->after = [&](const remote::Command& command, remote::CommandResult& result) {
        if (std::chrono::steady_clock::now() - begun < 3s &&
            command.script.find("lock.stale") != std::string::npos) {
            result = {nodeBusy, "somebody", {}};
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Ok) << end->results.at(0).reason;
}

TEST(Alert, WhatDisturbedARunIsKeptWithItsFigure) {
    Bench bench(1, {{"train", 60}}, {{"seconds", "0.05"}});
    bench.settings.unreachableGrace = 200ms;
    Watched& node = *bench.transports["a"];
    std::jthread heals;
    bench.told = [&](const RunState& run) {
        if (!heals.joinable() && run.iteration >= 3) {
            node.away = true;
        }
        if (!heals.joinable() && !run.alerts.empty()) {
            heals = std::jthread([&] { node.away = false; });
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    const RunResult& result = end->results.at(0);
    EXPECT_EQ(result.outcome, Outcome::Ok) << result.reason;
    const auto record = store::readRunRecord(bench.workspace.root() / result.folder);
    ASSERT_TRUE(record) << describe(record.error());
    EXPECT_EQ(record->facts["disturbances"][0]["kind"], "not-reached");
    EXPECT_TRUE(record->facts["disturbances"][0]["until"].is_string());
    const auto stored = store::readResults(bench.workspace);
    ASSERT_TRUE(stored);
    // What else runs beside the tests is found as well.
    EXPECT_THAT(stored->results.at(0).findings,
                Contains(AllOf(Field(&RunFinding::kind, "disturbed"),
                               Field(&RunFinding::what, HasSubstr("the node was not reached for ")))));
}

TEST(Alert, OnlyATroubleThatIsOverIsAFindingOfTheRun) {
    const NodeAlert away{Kind::NotReached, "a", TimePoint(1s), "no route", true, 0};
    const NodeAlert silent{Kind::Silent, "b", TimePoint(5s), {}, false, 0.25};
    std::vector<Disturbance> all;
    follow(all, {away}, TimePoint(2s));
    follow(all, {away, silent}, TimePoint(6s));
    follow(all, {silent}, TimePoint(31s));
    const auto findings = findingsOf(all);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0], (RunFinding{"disturbed", "the node was not reached for 30 s", "node a"}));
    follow(all, {}, TimePoint(8s));
    follow(all, {away}, TimePoint(40s));
    EXPECT_EQ(findingsOf(all).size(), 2U);
    EXPECT_EQ(all.size(), 3U) << "it came a second time";
}

TEST(Alert, ANodeThatIsLostWhileOthersAnswerIsNotWaitedForAtTheEnd) {
    Bench bench(2, {{"topologies", {"2n1g"}}}, {{"behaviour", "endless"}});
    bench.settings.lostAfter = 1s;
    bench.settings.retryTimeout = 1h;  // the test would not end
    Watched& node = *bench.transports["b"];
    bench.told = [&](const RunState& run) { node.away = node.away || run.iteration >= 3; };
    const Campaign campaign = bench.create();
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(end->results.at(0).reason, AllOf(HasSubstr("node b was not reached for 1 s, others were"),
                                                 HasSubstr("node b could not be stopped")));
    EXPECT_TRUE(isOver(bench.workspace, end->results.at(0).id));
    remote::LocalTransport here("here");
    (void)here.run({signalScript("/none", end->results.at(0).id, "KILL", false), {}}, {});
}

TEST(Alert, OnlyARunOfThisWorkspaceWithAVerdictIsOver) {
    Bench bench(1, {{"repetitions", 2}});
    const Campaign campaign = bench.create();
    EXPECT_FALSE(isOver(bench.workspace, campaign.id + "/0001")) << "it has yet to begin";
    const auto end = bench.run(campaign);
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_TRUE(isOver(bench.workspace, campaign.id + "/0001"));
    for (const char* other : {"", "/", "elsewhere/0001", "../campaigns/0001"}) {
        EXPECT_FALSE(isOver(bench.workspace, other)) << other;
    }
    EXPECT_FALSE(isOver(bench.workspace, campaign.id + "/0003"));
}

TEST(Alert, IsKeptAsJson) {
    const std::vector<NodeAlert> alerts{{Kind::NotReached, "a", TimePoint(1s), "no route", true, 0},
                                        {Kind::Silent, "b", TimePoint(2s), {}, false, 0.25}};
    EXPECT_EQ(alertsFromJson(toJson(alerts)), alerts);
    EXPECT_THAT(alertsFromJson(Json::parse(R"([{"kind": "new"}, 3, {"kind": "silent"}])")),
                testing::IsEmpty());
    EXPECT_THAT(alertsFromJson(Json(7)), testing::IsEmpty());
}

}  // namespace
}  // namespace dlperf::run
