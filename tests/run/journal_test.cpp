// SPDX-License-Identifier: Apache-2.0
#include "core/run/journal.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/folder.h"

namespace dlperf::run {
namespace {

const std::string portLine = R"({"event":"port","port":1,"time":"2026-11-23T09:05:26.870Z"})"
                             "\n";

void append(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

Event allocated(int port) {
    return {event::PortAllocated{port}};
}

std::vector<int> ports(const std::filesystem::path& file) {
    std::vector<int> found;
    const auto events = readJournal(file).value();
    for (const Event& event : events) {
        found.push_back(std::get<event::PortAllocated>(event.what).port);
    }
    return found;
}

TEST(Journal, KeepsEventsInOrderWithTheirTime) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    const TimePoint before = now();
    for (const int port : {1, 2}) {  // each from a runner of its own
        auto journal = Journal::open(file);
        ASSERT_TRUE(journal);
        EXPECT_TRUE(journal->write(allocated(port)));
    }
    EXPECT_EQ(ports(file), (std::vector<int>{1, 2}));
    EXPECT_GE(readJournal(file)->at(0).time, before);
}

TEST(Journal, RemovesALineWithoutItsNewlineBeforeTheNext) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    append(file, portLine + "{\"event\":\"port\"");
    EXPECT_EQ(ports(file), std::vector<int>{1});
    auto journal = Journal::open(file);
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->write(allocated(2)));
    EXPECT_EQ(ports(file), (std::vector<int>{1, 2}));
}

TEST(Journal, SkipsLinesThatAreNoObjectsAndEventsOfOtherVersions) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    append(file, portLine + "\n[1]\nnonsense\n\xFF\xFE\n{\"event\":\"new\"}\n" + portLine);
    EXPECT_EQ(ports(file), (std::vector<int>{1, 1}));
    EXPECT_TRUE(readJournal(folder.path() / "missing")->empty());
}

TEST(Journal, WhatIsNoFileIsRefused) {
    const test::Folder folder;
    ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    append(folder.path() / "elsewhere", portLine);
    std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "link");
    for (const char* name : {"link", "pipe"}) {
        EXPECT_FALSE(readJournal(folder.path() / name)) << name;
        EXPECT_FALSE(checkJournal(folder.path() / name)) << name;
    }
    EXPECT_FALSE(Journal::open(folder.path() / "link"));
}

TEST(Journal, NamesTheLineOfADamagedEvent) {
    const char* const damaged[] = {
        R"({"event":"port","time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"port","port":"x","time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"port","port":1})",
        R"({"event":"port","port":1,"time":7})",
        R"({"port":1})",
        R"({"event":"started","node":0,"identity":null,"time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"claimed","node":-1,"folder":"f","time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"ended","run":0,"outcome":"fine","time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"added","run":0,"batch_size":0,"repetition":1,"time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"added","run":0,"batch_size":8,"repetition":1,"variant":3,"time":"2026-11-23T09:05:26.870Z"})",
        R"({"event":"state","run":null,"state":"running","time":"2026-11-23T09:05:26.870Z"})"};
    for (const char* line : damaged) {
        const test::Folder folder;
        append(folder.path() / "j", portLine + line + "\n");
        const auto events = readJournal(folder.path() / "j");
        ASSERT_FALSE(events) << line;
        EXPECT_THAT(describe(events.error()), testing::HasSubstr("j, line 2: the journal is damaged: "))
            << line;
    }
}

TEST(Journal, TextsThatAreNoUtf8AreKeptAsFarAsTheyCanBe) {
    const test::Folder folder;
    auto journal = Journal::open(folder.path() / "j");
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->write({StopDecision{StopCause::Failed, "bad \xFF byte"}}));
    const auto events = readJournal(folder.path() / "j");
    EXPECT_EQ(std::get<StopDecision>(events->at(0).what).reason, "bad \xEF\xBF\xBD byte");
}

TEST(Journal, AFullDiskIsAnError) {
    auto journal = Journal::open("/dev/full");
    ASSERT_TRUE(journal);
    const auto written = journal->write(allocated(1));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Work);
}

TEST(Events, StayThemselvesAsJson) {
    const TimePoint time(std::chrono::milliseconds(1'795'424'729'123));
    const Happening happenings[] = {
        event::Began{3, "logs/a_3"},
        event::JobSubmitted{{"17", "/shared/jobs/1"}},
        event::QueueReached{"job 17 waits: Resources"},
        event::NodesGiven{{"c1", "c2"}},
        event::PhaseReached{RunPhase::Stopping},
        event::AlertsChanged{{{NodeAlert::Kind::NotReached, "a", time, "no route", true, 0}}},
        event::SkipChanged{true},
        event::SkipChanged{false},
        event::DeletedChanged{true},
        event::DeletedChanged{false},
        event::Retried{},
        event::AlreadyThere{},
        event::Added{48, 2, Variant{{"workers", "8"}}},
        event::Ended{false, {Outcome::Failed, "it died"}, "logs/a_3.attempt1", {}, time, time},
        event::Ended{true, {Outcome::Ok, ""}, "logs/a_3", 16.25, time, time, 1968.0},
        event::PauseChanged{true},
        event::PauseChanged{false},
        event::ClaimBegan{},
        event::Claimed{1, {"/home/user", "/home/user/dlperf/runs/1", {"12"}}},
        event::Warned{{"check", "Interfaces: eth0 is slow", "between the nodes"}},
        event::PortAllocated{23642},
        event::StartBegan{},
        event::Started{1, {"boot", 696, 243799}},
        StopDecision{StopCause::Failed, "node a: it died", "a"},
        event::Stopped{},
        event::Judged{{Outcome::Short, "too short"}}};
    for (const Happening& what : happenings) {
        const bool ofRun = what.index() < 12;
        const Json json = toJson(Event{what, ofRun ? std::optional<std::size_t>(2) : std::nullopt, time});
        const auto read = eventFromJson(json, "here");
        ASSERT_TRUE(read && *read) << json;
        EXPECT_EQ((*read)->what.index(), what.index()) << json;
        EXPECT_EQ(toJson(**read), json);
    }
}

TEST(Events, MakeTheStateOfARun) {
    Campaign campaign;
    campaign.runs.resize(2);
    const auto happens = [&](Happening what) { apply(campaign, {std::move(what), 1}); };
    happens(event::Began{3, "a"});
    for (int time = 0; time < 2; ++time) {  // by the next runner, too
        happens(event::Warned{{"check", "eth0 is slow", {}}});
    }
    happens(event::AlertsChanged{{{}}});
    happens(event::PhaseReached{RunPhase::Running});
    const RunState& run = campaign.runs[1];
    EXPECT_EQ(run.phase, RunPhase::Running);
    EXPECT_EQ(run.warnings.size(), 1U);
    EXPECT_TRUE(run.alerts.empty());
    happens(StopDecision{StopCause::Failed, "first"});
    happens(StopDecision{StopCause::Cancelled, "second"});
    EXPECT_EQ(run.stop->reason, "first");
    happens(event::Ended{false, {Outcome::Failed, "first"}, "a.attempt1", {}, {}, {}});
    EXPECT_TRUE(run.settling);
    EXPECT_EQ(run.workFolder, "a");
    happens(event::Ended{true, {Outcome::Failed, "first"}, "a.attempt1", {}, {}, {}});
    EXPECT_EQ(run.folder, "a.attempt1");
    EXPECT_FALSE(campaign.finished());
    apply(campaign, {event::Ended{true, {Outcome::NotRun, "cancelled"}, {}, {}, {}, {}}, 0});
    apply(campaign, {event::Began{}, 7});  // no such run
    apply(campaign, {event::PauseChanged{true}});
    EXPECT_TRUE(campaign.finished() && campaign.paused);
}

}  // namespace
}  // namespace dlperf::run
