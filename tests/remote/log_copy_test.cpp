// SPDX-License-Identifier: Apache-2.0
// The copy of a log that is far behind: many pieces on their way at once, in the order of the file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/remote/ssh_transport.h"
#include "core/run/log_copy.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;

std::string linesOf(std::uint64_t bytes) {
    std::string lines;
    for (int number = 0; lines.size() < bytes; ++number) {
        lines += fmt::format("iteration {} loss 6.9312\n", number);
    }
    return lines;
}

// A mismatch of megabytes is told, not shown.
void expectCopied(const std::filesystem::path& copy, const std::string& lines) {
    const auto bytes = readFile(copy);
    ASSERT_TRUE(bytes) << describe(bytes.error());
    ASSERT_EQ(bytes->size(), lines.size());
    EXPECT_TRUE(*bytes == lines);
}

TEST(LogCopy, BringsALogThatIsFarBehindByteForByte) {
    const test::Sshd sshd;
    const test::Folder here;
    remote::SshTransport transport(sshd.node());
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines);
    const std::string log = (sshd.folder().path() / "training.log").string();
    const auto copy = here.path() / "copy";
    auto opened = LogCopy::open(copy);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->catchUp(transport, log, 7 * megabyte, {}), true);
    EXPECT_EQ(opened->size(), 7 * megabyte);  // as much as was wanted, however it was cut
    EXPECT_EQ(opened->catchUp(transport, log, 7 * megabyte, {}), false);
    expectCopied(copy, lines);
}

TEST(LogCopy, GoesOnWhereItEndedAndTheLogHasGrown) {
    const test::Sshd sshd;
    const test::Folder here;
    remote::SshTransport transport(sshd.node());
    const std::string lines = linesOf(3 * megabyte);
    const std::string log = (sshd.folder().path() / "training.log").string();
    const auto copy = here.path() / "copy";
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{600'000}, lines.size()}) {
        sshd.folder().write("training.log", lines.substr(0, bytes));
        auto opened = LogCopy::open(copy);  // as by a new runner
        ASSERT_TRUE(opened);
        EXPECT_EQ(opened->catchUp(transport, log, 7 * megabyte, {}), false);
        expectCopied(copy, lines.substr(0, bytes));
    }
}

int loginsAt(const test::Sshd& sshd) {
    const std::string log = sshd.log();
    int logins = 0;
    for (auto at = log.find("Accepted publickey"); at != std::string::npos;
         at = log.find("Accepted publickey", at + 1)) {
        ++logins;
    }
    return logins;
}

TEST(LogCopy, WhoIsFarBehindIsServedByTwoSessions) {
    const test::Sshd sshd;
    const test::Folder here;
    remote::SshTransport transport(sshd.node());
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines.substr(0, 1000));
    const std::string log = (sshd.folder().path() / "training.log").string();
    const auto copy = here.path() / "copy";
    auto opened = LogCopy::open(copy);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->catchUp(transport, log, 20 * megabyte, {}), false);
    EXPECT_EQ(loginsAt(sshd), 1);
    sshd.folder().write("training.log", lines);
    EXPECT_EQ(opened->catchUp(transport, log, 20 * megabyte, {}), false);
    expectCopied(copy, lines);
    EXPECT_EQ(loginsAt(sshd), 2);
}

TEST(LogCopy, OneSessionGoesOnWhereASecondIsRefused) {
    const test::Sshd sshd;
    const test::Folder here;
    remote::SshTransport transport(sshd.node());
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines);
    const std::string log = (sshd.folder().path() / "training.log").string();
    ASSERT_TRUE(transport.run({"exit 0", {}}, {}));
    sshd.folder().write("authorized_keys", "");
    auto opened = LogCopy::open(here.path() / "copy");
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->catchUp(transport, log, 20 * megabyte, {}), false);
    expectCopied(here.path() / "copy", lines);
    EXPECT_EQ(loginsAt(sshd), 1);
}

}  // namespace
}  // namespace dlperf::run
