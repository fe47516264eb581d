// SPDX-License-Identifier: Apache-2.0
// Archives of anybody: what is kept is bytes under numbers, whatever names, links and sizes they hold.
#include "core/import/unpack.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/import/archive_maker.h"
#include "tests/support/folder.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
using test::ArchiveKind;
using test::ArchiveMaker;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Unpack : public testing::Test {
protected:
    Unpack() { fs::create_directories(target()); }

    fs::path archive() const { return folder_.path() / "an.archive"; }
    fs::path target() const { return folder_.path() / "target"; }

    Result<Unpacked> unpacked(const UnpackLimits& limits = {}, const std::stop_token& stop = {}) const {
        return unpack(archive(), target(), limits, stop, {});
    }

    static std::vector<std::string> names(const Unpacked& unpacked) {
        std::vector<std::string> names;
        for (const UnpackedFile& file : unpacked.files) {
            names.push_back(join(file.parts, "/"));
        }
        return names;
    }

    static std::vector<std::string> remarks(const Unpacked& unpacked) {
        std::vector<std::string> texts;
        for (const Error& remark : unpacked.remarks.list()) {
            texts.push_back(remark.what + " @ " + remark.where);
        }
        return texts;
    }

    // What lies anywhere but in the target, which must be the archive alone.
    std::vector<std::string> outside() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            if (entry.path() != archive() && entry.path() != target()) {
                found.push_back(entry.path().string());
            }
        }
        return found;
    }

    test::Folder folder_;
};

// So that any byte in the archive's middle is one of the packed ones.
std::string lettersThatPackBadly() {
    std::string letters;
    std::uint32_t state = 1;
    for (int i = 0; i < 100'000; ++i) {
        state = state * 1664525U + 1013904223U;
        letters += static_cast<char>('a' + (state >> 16U) % 26U);
    }
    return letters;
}

class UnpackKinds : public Unpack, public testing::WithParamInterface<ArchiveKind> {};

TEST_P(UnpackKinds, KeepsLogsAsTheyAre) {
    std::string bytes = "iteration 1\r\n";
    bytes.push_back('\0');
    bytes += "\xff\xfe no UTF-8\n";
    const bool single = GetParam() == ArchiveKind::Gz || GetParam() == ArchiveKind::Zst;
    ArchiveMaker maker(archive(), GetParam());
    maker.file("logs/2n8g/r50_b128_fp32_1.log", bytes);
    if (!single) {
        maker.file("logs/2n8g/checkpoint.bin", "weights");
        maker.file("logs/slurm-17.OUT", "x");
        maker.file("logs/wdl/a.mem", "max");
    }
    maker.close();
    const auto result = unpacked();
    ASSERT_TRUE(result) << describe(result.error());
    if (single) {
        EXPECT_THAT(names(*result), ElementsAre("an.log"));  // "an.archive" without its ending
    } else {
        EXPECT_THAT(names(*result),
                    ElementsAre("logs/2n8g/r50_b128_fp32_1.log", "logs/slurm-17.OUT", "logs/wdl/a.mem"));
    }
    EXPECT_EQ(readFile(result->files.front().file).value(), bytes);
    EXPECT_THAT(remarks(*result), IsEmpty());
    EXPECT_TRUE(isArchive(archive()));
}

INSTANTIATE_TEST_SUITE_P(All, UnpackKinds,
                         testing::Values(ArchiveKind::Tar, ArchiveKind::TarGz, ArchiveKind::TarZst,
                                         ArchiveKind::TarXz, ArchiveKind::TarBz2, ArchiveKind::Zip,
                                         ArchiveKind::Gz, ArchiveKind::Zst));

TEST_F(Unpack, NamesThatLeadOutAreSkipped) {
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    for (const char* name : {"../out.log", "a/../../out.log", "/tmp/dlperf-out.log", "..\\out.log",
                             "C:\\out.log", "\\\\server\\out.log", "good/./a.log"}) {
        maker.file(name, "x");
    }
    maker.close();
    const auto result = unpacked();
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(names(*result), ElementsAre("good/a.log"));
    EXPECT_THAT(remarks(*result),
                ElementsAre("a name that leads out of the archive was skipped (and 5 more) @ ../out.log"));
    EXPECT_THAT(outside(), IsEmpty());
    EXPECT_FALSE(fs::exists("/tmp/dlperf-out.log"));
}

TEST_F(Unpack, BackslashesAreFolders) {
    ArchiveMaker(archive(), ArchiveKind::Zip).file(R"(logs\2n8g\r50_b128_fp32_1.log)", "x");
    EXPECT_THAT(names(unpacked().value()), ElementsAre("logs/2n8g/r50_b128_fp32_1.log"));
}

TEST_F(Unpack, LinksAreNeitherMadeNorFollowed) {
    folder_.write("outside/secret.log", "secret");
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    maker.symbolicLink("link", "../outside");
    maker.file("link/planted.log", "planted");  // through the link, for who makes it
    maker.symbolicLink("secret.log", "../outside/secret.log");
    maker.hardLink("hard.log", "../outside/secret.log");
    maker.device("null.log");
    maker.close();
    const auto result = unpacked();
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(names(*result), ElementsAre("link/planted.log"));
    EXPECT_THAT(remarks(*result), ElementsAre("a link was skipped (and 2 more) @ link",
                                              "what is no file was skipped @ null.log"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "outside"), fs::directory_iterator()), 1);
    for (const auto& entry : fs::directory_iterator(target())) {
        EXPECT_TRUE(fs::is_regular_file(entry.symlink_status())) << entry.path();
    }
}

TEST_F(Unpack, TheSameNameTwiceIsTwoFiles) {
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    maker.file("a.log", "first");
    maker.file("a.log", "second");
    maker.file("A.log", "third");
    maker.close();
    const auto result = unpacked();
    ASSERT_EQ(result->files.size(), 3U);
    EXPECT_EQ(readFile(result->files[0].file).value(), "first");
    EXPECT_EQ(readFile(result->files[1].file).value(), "second");
}

TEST_F(Unpack, NamesMayBeAnyBytes) {
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    maker.file("\xff\xfe/\x1b[31m.log", "x");
    maker.file("\xe6\x97\xa5\xe5\xbf\x97/" + std::string(3000, 'n') + ".log", "y");
    maker.file(std::string(5000, 'n') + ".log", "too long for any system");
    maker.close();
    const auto result = unpacked();
    ASSERT_TRUE(result) << describe(result.error());
    ASSERT_EQ(result->files.size(), 2U);
    EXPECT_EQ(result->files[0].parts.front(), "\xff\xfe");
    EXPECT_EQ(result->files[1].parts.front(), "\xe6\x97\xa5\xe5\xbf\x97");
    EXPECT_EQ(remarks(*result).size(), 1U);
}

TEST_F(Unpack, HiddenAndDeepFilesAreSkipped) {
    std::string deep;
    for (int i = 0; i < 40; ++i) {
        deep += "d/";
    }
    ArchiveMaker maker(archive(), ArchiveKind::Zip);
    maker.file("__MACOSX/._a.log", "Mac");
    maker.file(".git/a.log", "git");
    maker.file(deep + "a.log", "deep");
    maker.close();
    EXPECT_THAT(names(unpacked().value()), IsEmpty());
}

TEST_F(Unpack, ArchivesInsideAreNamed) {
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    maker.file("old/logs.tar.gz", "anything");
    maker.file("old/b.zip", "anything");
    maker.file("a.log", "x");
    maker.close();
    const auto result = unpacked();
    EXPECT_THAT(names(*result), ElementsAre("a.log"));
    EXPECT_THAT(remarks(*result),
                ElementsAre("an archive inside the archive was not opened (and 1 more) @ old/logs.tar.gz"));
}

TEST_F(Unpack, ABombIsRefused) {
    for (const ArchiveKind kind :
         {ArchiveKind::Zip, ArchiveKind::TarGz, ArchiveKind::TarZst, ArchiveKind::Gz}) {
        fs::remove_all(target());
        fs::create_directories(target());
        ArchiveMaker(archive(), kind).sameBytes("bomb.log", 96U << 20U);
        ASSERT_LT(fs::file_size(archive()), 1U << 20U);
        const auto result = unpacked();
        ASSERT_FALSE(result);
        EXPECT_THAT(describe(result.error()), HasSubstr("more than 200 times its size"));
        std::uintmax_t written = 0;
        for (const auto& entry : fs::directory_iterator(target())) {
            written += entry.file_size();
        }
        EXPECT_LT(written, 80U << 20U);
    }
}

// What is passed over is unpacked in memory, and is a bomb all the same.
TEST_F(Unpack, ABombUnderAnotherNameIsRefused) {
    ArchiveMaker(archive(), ArchiveKind::TarGz).sameBytes("bomb.bin", 96U << 20U);
    EXPECT_THAT(describe(unpacked().error()), HasSubstr("more than 200 times its size"));
}

TEST_F(Unpack, SizesAreBounded) {
    ArchiveMaker maker(archive(), ArchiveKind::Tar);
    maker.sameBytes("a.log", 3U << 20U);
    maker.sameBytes("b.log", 3U << 20U);
    maker.close();
    UnpackLimits limits;
    limits.fileBytes = 2U << 20U;
    EXPECT_THAT(describe(unpacked(limits).error()), HasSubstr("more than 2 MiB of logs"));
    fs::remove_all(target());
    fs::create_directories(target());
    limits.fileBytes = 8U << 20U;
    limits.bytes = 5U << 20U;
    EXPECT_THAT(describe(unpacked(limits).error()), HasSubstr("more than 5 MiB of logs"));
}

TEST_F(Unpack, AHundredThousandEntriesAreRefused) {
    ArchiveMaker maker(archive(), ArchiveKind::TarGz);
    for (int i = 0; i < 100'000; ++i) {
        maker.symbolicLink(std::to_string(i), "a");  // the first 65,536 cost no file here
    }
    maker.close();
    EXPECT_THAT(describe(unpacked().error()), HasSubstr("more than 65536 files and folders"));
}

TEST_F(Unpack, AnEncryptedZipSaysSo) {
    ArchiveMaker(archive(), ArchiveKind::EncryptedZip).file("2n8g/a.log", "secret");
    const auto result = unpacked();
    ASSERT_FALSE(result);
    EXPECT_THAT(describe(result.error()), HasSubstr("an.archive, 2n8g/a.log: the archive is encrypted"));
}

TEST_F(Unpack, CutOffAnywhereIsAnErrorWithAPlace) {
    const std::string noise = lettersThatPackBadly();
    for (const ArchiveKind kind :
         {ArchiveKind::TarGz, ArchiveKind::TarZst, ArchiveKind::Zip, ArchiveKind::Gz}) {
        ArchiveMaker(archive(), kind).file("2n8g/a.log", noise);
        const auto whole = fs::file_size(archive());
        for (const std::uintmax_t cut : {whole / 4, whole / 2, whole * 9 / 10}) {
            fs::resize_file(archive(), cut);
            fs::remove_all(target());
            fs::create_directories(target());
            const auto result = unpacked();
            ASSERT_FALSE(result) << static_cast<int>(kind) << " cut at " << cut;
            EXPECT_THAT(describe(result.error()), HasSubstr("an.archive"));
            EXPECT_THAT(describe(result.error()), HasSubstr("Copy or pack it again"));
            EXPECT_EQ(result.error().kind, ErrorKind::Input);
            ArchiveMaker(archive(), kind).file("2n8g/a.log", noise);
        }
    }
}

TEST_F(Unpack, AWrongByteIsNoticed) {
    ArchiveMaker(archive(), ArchiveKind::Zip).file("a.log", lettersThatPackBadly());
    std::string bytes = readFile(archive()).value();
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    ASSERT_TRUE(writeFileAtomically(archive(), bytes));
    EXPECT_FALSE(unpacked());
}

TEST_F(Unpack, WhatIsNoArchiveSaysSo) {
    for (const std::string& bytes : {std::string("hello\n"), std::string(), std::string("PK\x03\x04"),
                                     std::string("\x1f\x8b\x08\x00", 4)}) {
        ASSERT_TRUE(writeFileAtomically(archive(), bytes));
        const auto result = unpacked();
        EXPECT_TRUE(!result || result->files.empty()) << bytes;
    }
    EXPECT_FALSE(unpack(folder_.path() / "nowhere.zip", target(), {}, {}, {}));
}

TEST_F(Unpack, EndsWhenAsked) {
    ArchiveMaker(archive(), ArchiveKind::Zip).sameBytes("a.log", 32U << 20U);
    std::stop_source stop;
    std::uint64_t calls = 0;
    const auto result = unpack(archive(), target(), {}, stop.get_token(), [&](const Progress& progress) {
        EXPECT_EQ(progress.stage, Stage::Unpacking);
        EXPECT_GT(progress.of, 0U);
        ++calls;
        stop.request_stop();
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Work);
    EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace dlperf::imports
