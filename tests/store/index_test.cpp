// SPDX-License-Identifier: Apache-2.0
// The index follows the run folders, whatever happens to either.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "core/store/notes.h"
#include "core/store/results.h"
#include "tests/store/fixture.h"
#include "tests/support/as_nobody.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;
using test::putRun;
using test::someRecord;

class Index : public testing::Test {
protected:
    Index() : workspace_(*Workspace::open(folder_.path())) {}

    std::vector<double> figures() {
        const auto stored = readResults(workspace_);
        problems_ = stored->problems;
        std::vector<double> values;
        for (const RunResult& result : stored->results) {
            values.push_back(result.throughput.value_or(0));
        }
        return values;
    }
    int rows() const {
        SQLite::Database database(workspace_.index().string());
        return database.execAndGet("SELECT count(*) FROM runs").getInt();
    }

    test::Folder folder_;
    Workspace workspace_;
    std::vector<Error> problems_;
};

TEST_F(Index, AnEmptyWorkspaceHasNoResults) {
    EXPECT_TRUE(figures().empty());
    EXPECT_TRUE(problems_.empty());
}

TEST_F(Index, HoldsWhatRunJsonSays) {
    RunRecord record = someRecord({2, 8}, 3, 12411.97);
    record.result.findings = {{"torn-line", "the last line is not whole", "line 17"}};
    const fs::path folder = putRun(workspace_, record);
    for (int pass = 0; pass < 2; ++pass) {  // from the folders, then from the index
        const auto stored = readResults(workspace_);
        ASSERT_EQ(stored->results.size(), 1U);
        RunResult expected = record.result;
        expected.folder = folder.lexically_relative(workspace_.root()).string();
        EXPECT_EQ(stored->results[0].folder, expected.folder);
        EXPECT_EQ(stored->results[0].findings, record.result.findings);
        EXPECT_EQ(toJson({stored->results[0], "", "", Json::object()}),
                  toJson({expected, "", "", Json::object()}));
    }
    EXPECT_EQ(rows(), 1);
}

TEST_F(Index, OrdersByCampaignCaseAndRepetition) {
    RunRecord later = someRecord({1, 1}, 1, 5);
    later.result.campaign = "c2";
    putRun(workspace_, someRecord({2, 8}, 2, 4));
    putRun(workspace_, someRecord({2, 8}, 1, 3));
    putRun(workspace_, someRecord({1, 1}, 10, 2));
    putRun(workspace_, someRecord({1, 1}, 9, 1));
    putRun(workspace_, later);
    EXPECT_EQ(figures(), (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST_F(Index, FollowsNewChangedAndVanishedFolders) {
    const fs::path first = putRun(workspace_, someRecord({1, 1}, 1, 1));
    EXPECT_EQ(figures(), (std::vector<double>{1}));
    putRun(workspace_, someRecord({1, 1}, 2, 2));
    EXPECT_EQ(figures(), (std::vector<double>{1, 2}));
    // The same size and the same time: only the file is another.
    const auto time = fs::last_write_time(first / "run.json");
    putRun(workspace_, someRecord({1, 1}, 1, 9));
    fs::last_write_time(first / "run.json", time);
    EXPECT_EQ(figures(), (std::vector<double>{9, 2}));
    fs::remove_all(first);
    EXPECT_EQ(figures(), (std::vector<double>{2}));
    EXPECT_EQ(rows(), 1);
}

TEST_F(Index, ARunThatHasNotEndedIsNoResult) {
    RunRecord record = someRecord();
    record.result.outcome = Outcome::NotRun;
    record.result.throughput.reset();
    record.result.ended.reset();
    putRun(workspace_, record);
    EXPECT_TRUE(figures().empty());
    EXPECT_TRUE(problems_.empty());
}

TEST_F(Index, IsRebuiltWhenDeletedCorruptedOrOfAnotherSchema) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    putRun(workspace_, someRecord({1, 2}, 1, 2));
    const std::vector<double> expected{1, 2};
    ASSERT_EQ(figures(), expected);

    fs::remove(workspace_.index());
    EXPECT_EQ(figures(), expected);

    std::ofstream(workspace_.index()) << std::string(8192, 'x');
    EXPECT_EQ(figures(), expected);

    fs::resize_file(workspace_.index(), 100);
    EXPECT_EQ(figures(), expected);

    {
        std::fstream file(workspace_.index(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4200);  // inside the pages: the header still looks whole
        file << std::string(3000, '\x7f');
    }
    EXPECT_EQ(figures(), expected);

    {
        SQLite::Database database(workspace_.index().string(), SQLite::OPEN_READWRITE);
        database.exec("DROP TABLE runs; CREATE TABLE runs (other TEXT); PRAGMA user_version = 99");
    }
    EXPECT_EQ(figures(), expected);
    EXPECT_TRUE(problems_.empty());
    EXPECT_EQ(rows(), 2);
}

TEST_F(Index, ResultsAreReadWithoutAnIndexWhenItsPlaceIsTaken) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    fs::create_directories(workspace_.index() / "not a file");
    EXPECT_EQ(figures(), (std::vector<double>{1}));
    ASSERT_EQ(problems_.size(), 1U);
    EXPECT_EQ(problems_[0].kind, ErrorKind::Transient);
}

// A database of somebody's that has a table of this name, too.
void makeForeign(const fs::path& file) {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE runs (theirs TEXT); INSERT INTO runs VALUES ('precious')");
}

std::string foreignText(const fs::path& file) {
    SQLite::Database database(file.string());
    return database.execAndGet("SELECT theirs FROM runs").getString();
}

TEST_F(Index, ALinkInItsPlaceIsNotFollowed) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    const test::Folder elsewhere;
    makeForeign(elsewhere.path() / "theirs.sqlite");
    for (const char* name : {"theirs.sqlite", "missing.sqlite"}) {
        fs::remove(workspace_.index());
        fs::create_symlink(elsewhere.path() / name, workspace_.index());
        EXPECT_EQ(figures(), (std::vector<double>{1}));
        ASSERT_EQ(problems_.size(), 1U);
        EXPECT_EQ(problems_[0].where, workspace_.index().string());
        EXPECT_TRUE(fs::is_symlink(workspace_.index()));
    }
    EXPECT_EQ(foreignText(elsewhere.path() / "theirs.sqlite"), "precious");
    EXPECT_FALSE(fs::exists(elsewhere.path() / "missing.sqlite"));
}

TEST_F(Index, ADatabaseOfSomethingElseIsLeftAsItIs) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    makeForeign(workspace_.index());
    EXPECT_EQ(figures(), (std::vector<double>{1}));
    ASSERT_EQ(problems_.size(), 1U);
    EXPECT_NE(problems_[0].what.find("of something else"), std::string::npos);
    EXPECT_EQ(foreignText(workspace_.index()), "precious");
}

TEST_F(Index, AnIndexOfAnEarlierVersionIsTakenOver) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    ASSERT_EQ(figures().size(), 1U);
    {
        SQLite::Database database(workspace_.index().string(), SQLite::OPEN_READWRITE);
        database.exec("PRAGMA application_id = 0; PRAGMA user_version = 2");
    }
    EXPECT_EQ(figures(), (std::vector<double>{1}));
    EXPECT_TRUE(problems_.empty());
    SQLite::Database database(workspace_.index().string());
    EXPECT_NE(database.execAndGet("PRAGMA application_id").getInt(), 0);
}

TEST_F(Index, AWorkspaceBehindALinkHasOne) {
    putRun(workspace_, someRecord({1, 1}, 1, 1));
    const test::Folder elsewhere;
    fs::create_directory_symlink(workspace_.root(), elsewhere.path() / "link");
    const auto stored = readResults(*Workspace::open(elsewhere.path() / "link"));
    EXPECT_EQ(stored->results.size(), 1U);
    EXPECT_TRUE(stored->problems.empty());
    EXPECT_EQ(rows(), 1);
}

TEST_F(Index, ARunThatIsOkAndHasNoFigureIsNamed) {
    RunRecord record = someRecord({1, 1}, 1, 1);
    record.result.throughput.reset();
    putRun(workspace_, record);
    EXPECT_TRUE(figures().empty());
    ASSERT_EQ(problems_.size(), 1U);
    EXPECT_NE(problems_[0].what.find("no \"throughput\""), std::string::npos);
}

TEST_F(Index, AFolderThatCannotBeReadIsNamedAndTriedAgain) {
    const fs::path folder = putRun(workspace_, someRecord({1, 1}, 1, 1));
    putRun(workspace_, someRecord({1, 1}, 2, 2));
    ASSERT_EQ(figures().size(), 2U);
    std::ofstream(folder / "run.json") << "{\"id\": ";
    for (int pass = 0; pass < 2; ++pass) {
        EXPECT_EQ(figures(), (std::vector<double>{2}));
        ASSERT_EQ(problems_.size(), 1U);
        EXPECT_NE(problems_[0].where.find(folder.string()), std::string::npos);
    }
    putRun(workspace_, someRecord({1, 1}, 1, 7));
    EXPECT_EQ(figures(), (std::vector<double>{7, 2}));
    EXPECT_TRUE(problems_.empty());
}

TEST_F(Index, AFolderThatIsClosedIsNamed) {
    const auto folder = putRun(workspace_, someRecord());
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(folder.parent_path(), std::filesystem::perms::none);
    const dlperf::test::AsNobody nobody;
    ASSERT_TRUE(nobody.ok());
    const auto problems = readResults(workspace_).value().problems;
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems.back().what,
              "the results may be old: a folder of runs cannot be read (Permission denied)");
    EXPECT_EQ(problems.back().where, folder.parent_path().string());
}

TEST_F(Index, ReadersAndAWriterAtTheSameTimeSeeWholeResults) {
    std::jthread writer([this] {
        for (int i = 1; i <= 40; ++i) {
            putRun(workspace_, someRecord({1, 1}, i, i));
        }
    });
    const auto read = [this] {
        std::size_t seen = 0;
        while (seen < 40) {
            const auto stored = readResults(workspace_);
            EXPECT_TRUE(stored->problems.empty());
            EXPECT_GE(stored->results.size(), seen);  // nothing that was there goes
            seen = stored->results.size();
        }
    };
    std::jthread other(read);
    read();
    other.join();
    writer.join();
    EXPECT_EQ(rows(), 40);
}

TEST_F(Index, NotesExcludeARunAndCanBeTakenBack) {
    const RunRecord record = someRecord();
    putRun(workspace_, record);
    ASSERT_TRUE(writeNote(workspace_, record.result.id, {"fan failed", true, "throttled"}));
    EXPECT_EQ(noteFile(workspace_, "c1/0007").filename(), "c1~0007.json");
    auto stored = readResults(workspace_);
    EXPECT_TRUE(stored->results.at(0).excluded);
    EXPECT_EQ(stored->results.at(0).exclusionReason, "throttled");
    EXPECT_EQ(readNotes(workspace_).byFile.begin()->second.note, "fan failed");

    ASSERT_TRUE(writeNote(workspace_, record.result.id, {}));
    EXPECT_FALSE(readResults(workspace_)->results.at(0).excluded);
    EXPECT_FALSE(fs::exists(noteFile(workspace_, record.result.id)));
}

// Each window knows the note as it read it last.
TEST_F(Index, ANoteThatTwoChangeLosesNothing) {
    const auto noteIs = [&] { return readNotes(workspace_).byFile.at("c1~0007.json"); };
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {}, {"hot", false, ""}));
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {}, {"", true, "fan"}));
    EXPECT_EQ(noteIs(), (RunNote{"hot", true, "fan"}));
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {"hot", true, "fan"}, {"", true, "fan"}));
    EXPECT_EQ(noteIs(), (RunNote{"", true, "fan"}));
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {"hot", true, "fan"}, {"hot", true, "dust"}));
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {"hot", true, "fan"}, {"hot", true, "pump"}));
    EXPECT_EQ(noteIs(), (RunNote{"", true, "dust; pump"}));
    ASSERT_TRUE(changeNote(workspace_, "c1/0007", {"", true, "dust; pump"}, {}));
    EXPECT_TRUE(readNotes(workspace_).byFile.empty());
    std::ofstream(noteFile(workspace_, "c1/0007")) << "[";
    EXPECT_FALSE(changeNote(workspace_, "c1/0007", {}, {"hot", false, ""}));
    EXPECT_EQ(readFile(noteFile(workspace_, "c1/0007")).value(), "[");
}

TEST_F(Index, NotesWithHostileNamesStayInTheirFolder) {
    for (const std::string id : {"../../x", "..", "/etc/passwd", "a~b/c", "", "\n"}) {
        const RunNote note{"text", false, ""};
        ASSERT_TRUE(writeNote(workspace_, id, note));
        EXPECT_EQ(noteFile(workspace_, id).parent_path(), workspace_.notes());
        EXPECT_EQ(readNotes(workspace_).byFile.at(noteFile(workspace_, id).filename().string()), note);
    }
    EXPECT_NE(noteFile(workspace_, "a~b"), noteFile(workspace_, "a/b"));
    std::ofstream(workspace_.notes() / "broken.json") << "[]";
    figures();
    EXPECT_EQ(problems_.size(), 1U);
}

}  // namespace
}  // namespace dlperf::store
