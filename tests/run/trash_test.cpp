// SPDX-License-Identifier: Apache-2.0
// Campaigns, imports and runs that are deleted, and put back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/run/campaign.h"
#include "core/run/clean.h"
#include "core/run/lock.h"
#include "core/run/retry.h"
#include "core/run/status.h"
#include "core/run/trash.h"
#include "core/store/notes.h"
#include "core/store/results.h"
#include "tests/store/fixture.h"
#include "tests/support/made_workspace.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Two campaigns of one plan, whose runs lie in the same folders of cases.
class TrashTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(dlperf::test::makeTwoNights(workspace_));
        ids_ = campaignIds(workspace_);
        ASSERT_EQ(ids_.size(), 2U);
    }

    [[nodiscard]] Campaign campaign(const std::string& id) const {
        for (Campaign& one : readStatus(workspace_).campaigns) {
            if (one.id == id) {
                return one;
            }
        }
        return {};
    }

    [[nodiscard]] std::size_t figures() const {
        return store::readResults(workspace_).value().results.size();
    }

    // All files below these folders, with what they hold.
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> files;
        for (const fs::path& folder : {workspace_.logs(), workspace_.campaigns(), workspace_.notes()}) {
            std::error_code none;
            for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
                files[entry.path().string()] =
                    entry.is_regular_file() ? readFile(entry.path()).value() : std::string();
            }
        }
        return files;
    }

    // One more, as an import leaves it.
    void putImport(const std::string& name, int repetition) {
        store::RunRecord record = store::test::someRecord({1, 1}, repetition);
        record.result.id = name + "/" + std::to_string(repetition);
        record.result.campaign = name;
        record.result.origin = Origin::Imported;
        const fs::path run = store::test::putRun(workspace_, record);
        ASSERT_TRUE(writeFileAtomically(run.string() + ".log", "a line\n"));
    }

    store::test::Folder folder_;
    store::Workspace workspace_ = store::Workspace::open(folder_.path() / "w").value();
    std::vector<std::string> ids_;
};

TEST_F(TrashTest, TakesACampaignAndGivesItBackExactly) {
    const auto before = files();
    const auto deletion = moveToTrash(workspace_, {.campaigns = {ids_[0]}});
    ASSERT_TRUE(deletion) << describe(deletion.error());
    EXPECT_EQ(deletion->runs.size(), 56U);
    EXPECT_EQ(campaignIds(workspace_), std::vector{ids_[1]});
    EXPECT_EQ(figures(), 56U) << "those of the other, in the same folders";
    const auto trash = readTrash(workspace_);
    ASSERT_EQ(trash.deletions.size(), 1U);
    EXPECT_EQ(trash.deletions[0].campaigns, std::vector{ids_[0]});
    EXPECT_GT(trash.bytes, 0U);
    ASSERT_TRUE(putBack(workspace_, deletion->name));
    EXPECT_EQ(files(), before);
    EXPECT_EQ(figures(), 112U);
    EXPECT_FALSE(fs::exists(workspace_.trash()));
}

TEST_F(TrashTest, TakesRunsOutOfACampaignThatStays) {
    const auto before = files();
    const std::string id = campaign(ids_[1]).runs[3].id;
    ASSERT_TRUE(store::writeNote(workspace_, id, {"hot room", true, "noise"}));
    const auto deletion = moveToTrash(workspace_, {.runs = {id}});
    ASSERT_TRUE(deletion) << describe(deletion.error());
    const Campaign left = campaign(ids_[1]);
    EXPECT_EQ(left.runs.size(), 55U);
    EXPECT_EQ(std::ranges::count(left.runs, id, &RunState::id), 0);
    EXPECT_EQ(figures(), 111U);
    EXPECT_TRUE(left.finished());
    EXPECT_TRUE(store::readNotes(workspace_).byFile.empty());
    ASSERT_TRUE(putBack(workspace_, deletion->name));
    EXPECT_EQ(campaign(ids_[1]).runs.size(), 56U);
    EXPECT_EQ(figures(), 112U);
    const auto stored = store::readResults(workspace_).value().results;
    const auto back = std::ranges::find(stored, id, &RunResult::id);
    ASSERT_NE(back, stored.end());
    EXPECT_TRUE(back->excluded);
    EXPECT_EQ(back->exclusionReason, "noise");
    for (const auto& [file, text] : before) {  // the journal knows of both
        EXPECT_TRUE(fs::exists(file)) << file;
    }
}

TEST_F(TrashTest, ARunThatFailedAndWasDeletedIsNotRetried) {
    Campaign night = campaign(ids_[1]);
    const auto failed = std::ranges::find(night.runs, Outcome::Oom, &RunState::outcome);
    ASSERT_NE(failed, night.runs.end());
    ASSERT_TRUE(moveToTrash(workspace_, {.runs = {failed->id}}));
    EXPECT_FALSE(retryRuns(workspace_, ids_[1], {failed->id}));
}

TEST_F(TrashTest, AllRunsOfACampaignAreTheCampaign) {
    Unwanted all;
    for (const RunState& run : campaign(ids_[0]).runs) {
        all.runs.insert(run.id);
    }
    const auto deletion = moveToTrash(workspace_, all);
    ASSERT_TRUE(deletion) << describe(deletion.error());
    EXPECT_EQ(deletion->campaigns, std::vector{ids_[0]});
    EXPECT_TRUE(deletion->marked.empty());
    EXPECT_EQ(campaignIds(workspace_), std::vector{ids_[1]});
}

TEST_F(TrashTest, WhatWasDeletedFirstComesBackAfterItsCampaign) {
    const std::string id = campaign(ids_[0]).runs[0].id;
    const auto run = moveToTrash(workspace_, {.runs = {id}}).value();
    const auto whole = moveToTrash(workspace_, {.campaigns = {ids_[0]}}).value();
    EXPECT_NE(run.name, whole.name);
    const auto refused = putBack(workspace_, run.name);
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("restore it first"));
    ASSERT_TRUE(putBack(workspace_, whole.name));
    EXPECT_EQ(campaign(ids_[0]).runs.size(), 55U);
    ASSERT_TRUE(putBack(workspace_, run.name));
    EXPECT_EQ(campaign(ids_[0]).runs.size(), 56U);
}

TEST_F(TrashTest, TakesImportsWithTheirLogs) {
    putImport("imported-a", 1);
    putImport("imported-b", 2);
    const auto before = files();
    const auto deletion = moveToTrash(workspace_, {.campaigns = {"imported-a"}});
    ASSERT_TRUE(deletion) << describe(deletion.error());
    EXPECT_EQ(files().size(), before.size() - 3) << "a folder, run.json and a log";
    ASSERT_TRUE(moveToTrash(workspace_, {.runs = {"imported-b/2"}}));
    EXPECT_FALSE(fs::exists(workspace_.caseFolder(store::test::someRecord().result.benchmarkCase)));
    EXPECT_FALSE(moveToTrash(workspace_, {.campaigns = {"imported-a"}})) << "it is gone";
    for (const Deletion& one : readTrash(workspace_).deletions) {
        EXPECT_TRUE(putBack(workspace_, one.name));
    }
    EXPECT_EQ(files(), before);
}

TEST_F(TrashTest, PutsNothingBackOverWhatIsNew) {
    putImport("imported-a", 3);
    const auto deletion = moveToTrash(workspace_, {.campaigns = {"imported-a"}}).value();
    putImport("imported-c", 3);
    const auto before = files();
    const auto refused = putBack(workspace_, deletion.name);
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("something else has taken its place"));
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(fs::exists(workspace_.trash() / deletion.name / deletion.moved.front()));
}

TEST_F(TrashTest, PutsNothingBackWhoseIdIsTaken) {
    putImport("imported-a", 3);
    const auto deletion = moveToTrash(workspace_, {.runs = {"imported-a/3"}}).value();
    putImport("imported-a", 3);
    const fs::path run = workspace_.caseFolder(store::test::someRecord().result.benchmarkCase);
    fs::rename(run, run.parent_path() / "elsewhere");
    const auto refused = putBack(workspace_, deletion.name);
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("imported-a/3"));
}

TEST_F(TrashTest, IsRefusedWhileARunnerWorksOnIt) {
    auto lock = WorkspaceLock::take(workspace_).value();
    const auto early = moveToTrash(workspace_, {.campaigns = {ids_[0]}});
    ASSERT_FALSE(early) << "it may be about to begin with this one";
    ASSERT_TRUE(lock.workOn(ids_[0]));
    const auto before = files();
    for (const Unwanted& unwanted :
         {Unwanted{.campaigns = {ids_[0]}}, Unwanted{.runs = {campaign(ids_[0]).runs[0].id}}}) {
        const auto refused = moveToTrash(workspace_, unwanted);
        ASSERT_FALSE(refused);
        EXPECT_THAT(describe(refused.error()), HasSubstr("a runner works on it"));
        EXPECT_THAT(describe(refused.error()), HasSubstr(ids_[0]));
    }
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(moveToTrash(workspace_, {.campaigns = {ids_[1]}})) << "nobody works on the other";
}

TEST_F(TrashTest, RunsThatHaveNotEndedGoWithTheirCampaignOnly) {
    const auto made = dlperf::test::makeCampaign(workspace_, 40).value();
    const auto refused = moveToTrash(workspace_, {.runs = {made.runs.back().id}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("has not ended"));
    EXPECT_TRUE(moveToTrash(workspace_, {.campaigns = {made.id}}));
}

// Journals and lists may come with a workspace from elsewhere.
TEST_F(TrashTest, LeavesWhatLiesElsewhereAlone) {
    const fs::path outside = folder_.path() / "outside";
    fs::create_directories(outside / "case" / "run");
    ASSERT_TRUE(writeFileAtomically(outside / "case" / "run" / "journal.jsonl", "{}\n"));
    const std::string id = campaign(ids_[0]).runs[0].id;
    std::string journal = readFile(journalFile(workspace_, ids_[0])).value();
    for (const std::string& folder : {std::string("../outside/case/run"), (outside / "case" / "run").string(),
                                      std::string("logs/../../outside/case/run"), std::string("logs")}) {
        Json ended = toJson(Event{endOf(campaign(ids_[0]).runs[0], true), 0});
        ended["folder"] = folder;
        journal += ended.dump() + "\n";
        ASSERT_TRUE(writeFileAtomically(journalFile(workspace_, ids_[0]), journal));
        const auto deletion = moveToTrash(workspace_, {.campaigns = {ids_[0]}});
        ASSERT_TRUE(deletion) << describe(deletion.error());
        EXPECT_TRUE(fs::exists(outside / "case" / "run" / "journal.jsonl"));
        EXPECT_EQ(figures(), 56U);
        ASSERT_TRUE(putBack(workspace_, deletion->name));
    }
}

TEST_F(TrashTest, FollowsNoLink) {
    const fs::path outside = folder_.path() / "outside";
    fs::create_directories(outside);
    fs::create_directory_symlink(outside, workspace_.trash());
    const auto before = files();
    EXPECT_FALSE(moveToTrash(workspace_, {.campaigns = {ids_[0]}}));
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(fs::is_empty(outside));
    EXPECT_TRUE(readTrash(workspace_).deletions.empty());
    ASSERT_TRUE(emptyTrash(workspace_));
    EXPECT_TRUE(fs::is_symlink(workspace_.trash()));
    fs::remove(workspace_.trash());
    // A case's folder that is a link to one outside.
    const fs::path caseFolder = campaign(ids_[0]).runs[0].path.parent_path();
    fs::rename(caseFolder, outside / "case");
    fs::create_directory_symlink(outside / "case", caseFolder);
    const auto entries = entriesOf(outside / "case").size();
    ASSERT_TRUE(moveToTrash(workspace_, {.campaigns = {ids_[0]}}));
    EXPECT_EQ(entriesOf(outside / "case").size(), entries);
}

TEST_F(TrashTest, RefusesWhereTheRunsLieBehindALink) {
    const fs::path outside = folder_.path() / "big-disk";
    fs::rename(workspace_.logs(), outside);
    fs::create_directory_symlink(outside, workspace_.logs());
    const auto before = files();
    const auto refused = moveToTrash(workspace_, {.campaigns = {ids_[0]}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("is a link"));
    EXPECT_EQ(files(), before);
}

TEST_F(TrashTest, RefusesAListThatLeadsElsewhere) {
    const auto deletion = moveToTrash(workspace_, {.campaigns = {ids_[0]}}).value();
    const fs::path list = workspace_.trash() / deletion.name / "deleted.json";
    const Json good = readJsonFile(list).value();
    for (const char* path : {"../../outside/x", "/etc/passwd", "logs/../../x/y", "results.sqlite", "logs",
                             "recipes/x", "logs//x/.."}) {
        Json bad = good;
        bad["moved"].push_back(path);
        ASSERT_TRUE(writeFileAtomically(list, bad.dump()));
        EXPECT_FALSE(putBack(workspace_, deletion.name)) << path;
        EXPECT_EQ(readTrash(workspace_).problems.size(), 1U) << path;
    }
    for (const char* name : {"..", "../w/trash", "", "none"}) {
        EXPECT_FALSE(putBack(workspace_, name)) << name;
    }
    ASSERT_TRUE(writeFileAtomically(list, good.dump()));
    EXPECT_TRUE(putBack(workspace_, deletion.name));
}

// A move that was cut short is finished by the list, which was written first.
TEST_F(TrashTest, PutsBackWhatWasMovedHalf) {
    const auto before = files();
    const auto deletion = moveToTrash(workspace_, {.campaigns = {ids_[0]}}).value();
    const fs::path moved = deletion.moved.back();
    fs::create_directories((workspace_.root() / moved).parent_path());
    fs::rename(workspace_.trash() / deletion.name / moved, workspace_.root() / moved);
    ASSERT_TRUE(putBack(workspace_, deletion.name));
    EXPECT_EQ(files(), before);
}

TEST_F(TrashTest, IsEmptiedForGoodAndKeepsWhatIsNotItsOwn) {
    ASSERT_TRUE(moveToTrash(workspace_, {.campaigns = {ids_[0]}}));
    ASSERT_TRUE(moveToTrash(workspace_, {.campaigns = {ids_[1]}}));
    fs::create_directories(workspace_.trash() / "mine");
    ASSERT_TRUE(emptyTrash(workspace_));
    EXPECT_TRUE(readTrash(workspace_).deletions.empty());
    EXPECT_TRUE(fs::exists(workspace_.trash() / "mine"));
    EXPECT_EQ(figures(), 0U);
}

}  // namespace
}  // namespace dlperf::run
