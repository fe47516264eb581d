// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "core/base/regular_file.h"
#include "tests/support/folder.h"

namespace dlperf {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
    const test::Folder made;
    const fs::path folder = made.path();
};

TEST_F(Files, AreReadWhole) {
    const std::string bytes("a\0b\r\n\xFF", 6);
    std::ofstream(folder / "x", std::ios::binary) << bytes;
    EXPECT_EQ(readFile(folder / "x").value(), bytes);
}

TEST_F(Files, AreBounded) {
    std::ofstream(folder / "x") << "12345";
    EXPECT_TRUE(readFile(folder / "x", 5));
    const auto refused = readFile(folder / "x", 4);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Input);
}

TEST_F(Files, WhatIsNoFileIsAnError) {
    EXPECT_EQ(readFile(folder / "missing").error().where, (folder / "missing").string());
    EXPECT_FALSE(readFile(folder));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_FALSE(readFile(folder / "pipe"));  // and does not wait for a writer
}

TEST_F(Files, ALinkIsFollowedOrRefused) {
    std::ofstream(folder / "x") << "text";
    fs::create_symlink(folder / "x", folder / "link");
    fs::create_symlink(folder / "missing", folder / "dangling");
    EXPECT_EQ(readFile(folder / "link").value(), "text");
    EXPECT_TRUE(readFile(folder / "x", 4, Links::Refuse));
    EXPECT_FALSE(openRegularFile(folder / "missing", Links::Refuse));
    for (const char* name : {"link", "dangling"}) {
        const auto refused = readFile(folder / name, 4, Links::Refuse);
        ASSERT_FALSE(refused);
        EXPECT_NE(describe(refused.error()).find("is a link"), std::string::npos);
    }
}

TEST_F(Files, AGuardThatIsALinkMakesNothingElsewhere) {
    fs::create_symlink(folder / "target", folder / "x.guard");
    const auto guard = guardOf(folder / "x");
    ASSERT_FALSE(guard);
    EXPECT_EQ(guard.error().where, (folder / "x.guard").string());
    EXPECT_FALSE(fs::exists(folder / "target"));
}

TEST_F(Files, AreReplacedWholeWithTheirMode) {
    ASSERT_TRUE(writeFileAtomically(folder / "x", "old"));
    ASSERT_TRUE(writeFileAtomically(folder / "x", "new", 0600));
    EXPECT_EQ(readFile(folder / "x").value(), "new");
    EXPECT_EQ(fs::status(folder / "x").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(Files, WritingWhereThereIsNoFolderIsAnError) {
    const auto written = writeFileAtomically(folder / "no" / "x", "bytes");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Work);
    ASSERT_TRUE(writeFileAtomically(folder / "file", ""));
    EXPECT_FALSE(makeFolders(folder / "file" / "below"));
    EXPECT_TRUE(makeFolders(folder / "a" / "b"));
    EXPECT_TRUE(makeFolders(folder / "a" / "b"));
}

TEST_F(Files, OnlyALeadingTildeIsHome) {
    const fs::path home = std::getenv("HOME");
    EXPECT_EQ(expandHome("~/x/y"), home / "x/y");
    EXPECT_EQ(expandHome("~"), home / "");
    EXPECT_EQ(expandHome("/a/~/b"), "/a/~/b");
    EXPECT_EQ(expandHome("~user/x"), "~user/x");
    EXPECT_EQ(expandHome("$HOME"), "$HOME");
}

}  // namespace
}  // namespace dlperf
