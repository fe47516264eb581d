// SPDX-License-Identifier: Apache-2.0
// The copy of a log that is far behind: many pieces on their way at once, in the order of the file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/remote/ssh_transport.h"
#include "core/run/node_log.h"
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

// A log of a host, and its copy here.
class LogCopyTest : public testing::Test {
protected:
    LogCopy openCopy() {
        auto opened = LogCopy::open(copy);
        return std::move(opened).value();
    }

    const test::Sshd sshd;
    const test::Folder here;
    remote::SshTransport transport{sshd.node()};
    const std::string log = (sshd.folder().path() / "training.log").string();
    const std::filesystem::path copy = here.path() / "copy";
};

TEST_F(LogCopyTest, BringsALogThatIsFarBehindByteForByte) {
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines);
    LogCopy opened = openCopy();
    EXPECT_EQ(opened.catchUp(transport, log, 7 * megabyte, {}), true);
    EXPECT_EQ(opened.size(), 7 * megabyte);  // as much as was wanted, however it was cut
    EXPECT_EQ(opened.catchUp(transport, log, 7 * megabyte, {}), false);
    expectCopied(copy, lines);
}

TEST_F(LogCopyTest, GoesOnWhereItEndedAndTheLogHasGrown) {
    const std::string lines = linesOf(3 * megabyte);
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{600'000}, lines.size()}) {
        sshd.folder().write("training.log", lines.substr(0, bytes));
        LogCopy opened = openCopy();  // as by a new runner
        EXPECT_EQ(opened.catchUp(transport, log, 7 * megabyte, {}), false);
        expectCopied(copy, lines.substr(0, bytes));
    }
}

TEST_F(LogCopyTest, WhoIsFarBehindIsServedByTwoSessions) {
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines.substr(0, 1000));
    LogCopy opened = openCopy();
    EXPECT_EQ(opened.catchUp(transport, log, 20 * megabyte, {}), false);
    EXPECT_EQ(sshd.logged("Accepted publickey"), 1U);
    sshd.folder().write("training.log", lines);
    EXPECT_EQ(opened.catchUp(transport, log, 20 * megabyte, {}), false);
    expectCopied(copy, lines);
    EXPECT_EQ(sshd.logged("Accepted publickey"), 2U);
}

TEST_F(LogCopyTest, OneSessionGoesOnWhereASecondIsRefused) {
    const std::string lines = linesOf(9 * megabyte);
    sshd.folder().write("training.log", lines);
    ASSERT_TRUE(transport.run({"exit 0", {}}, {}));
    sshd.folder().write("authorized_keys", "");
    LogCopy opened = openCopy();
    EXPECT_EQ(opened.catchUp(transport, log, 20 * megabyte, {}), false);
    expectCopied(copy, lines);
    EXPECT_EQ(sshd.logged("Accepted publickey"), 1U);
}

}  // namespace
}  // namespace dlperf::run
