// SPDX-License-Identifier: Apache-2.0
#include "core/run/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/model/case.h"

#include "tests/support/folder.h"

namespace dlperf::run {
namespace {

void append(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

std::vector<std::string> words(const std::filesystem::path& file) {
    std::vector<std::string> found;
    for (const Json& event : readJournal(file)) {
        found.push_back(event.value("event", "?"));
    }
    return found;
}

TEST(Journal, KeepsEventsInOrderWithTheirTime) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    for (const char* word : {"one", "two"}) {  // each from a runner of its own
        auto journal = Journal::open(file);
        ASSERT_TRUE(journal);
        EXPECT_TRUE(journal->write({{"event", word}}));
    }
    EXPECT_EQ(words(file), (std::vector<std::string>{"one", "two"}));
    EXPECT_TRUE(parseIso8601(readJournal(file)[0]["time"].get<std::string>()));
}

TEST(Journal, ALineWithoutItsNewlineNeverHappenedAndIsRemovedBeforeTheNext) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    append(file, "{\"event\":\"one\"}\n{\"event\":\"torn\"}");
    EXPECT_EQ(words(file), std::vector<std::string>{"one"});
    auto journal = Journal::open(file);
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->write({{"event", "two"}}));
    EXPECT_EQ(words(file), (std::vector<std::string>{"one", "two"}));
}

TEST(Journal, LinesThatAreNoObjectsAreLeftOut) {
    const test::Folder folder;
    const auto file = folder.path() / "j";
    append(file, "{\"event\":\"one\"}\n\n[1]\nnonsense\n\xFF\xFE\n{\"event\":\"two\"}\n");
    EXPECT_EQ(words(file), (std::vector<std::string>{"one", "two"}));
    EXPECT_TRUE(readJournal(folder.path() / "missing").empty());
}

TEST(Journal, TextsThatAreNoUtf8AreKeptAsFarAsTheyCanBe) {
    const test::Folder folder;
    auto journal = Journal::open(folder.path() / "j");
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->write({{"event", "bad \xFF byte"}}));
    EXPECT_EQ(words(folder.path() / "j"), std::vector<std::string>{"bad \xEF\xBF\xBD byte"});
}

TEST(Journal, AFullDiskIsAnError) {
    auto journal = Journal::open("/dev/full");
    ASSERT_TRUE(journal);
    const auto written = journal->write({{"event", "one"}});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Work);
}

}  // namespace
}  // namespace dlperf::run
