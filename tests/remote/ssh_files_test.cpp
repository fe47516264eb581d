// SPDX-License-Identifier: Apache-2.0
// Files read from a real sshd: over SFTP where it has it, by commands where it has not.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "core/remote/ssh_transport.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;

int count(const std::string& text, const std::string& words) {
    int found = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
        ++found;
    }
    return found;
}

int commands(const test::Sshd& sshd) {
    return count(sshd.log(), "Starting session: command");
}

std::string largeText() {
    std::string bytes;
    while (bytes.size() < 6'000'000) {
        bytes += "iteration " + std::to_string(bytes.size()) + "\n";
    }
    return bytes;
}

TEST(SshFiles, AreReadWithoutAShell) {
    const test::Sshd sshd;
    const std::string large = largeText();
    sshd.folder().write("a log", large);
    const std::string path = (sshd.folder().path() / "a log").string();
    SshTransport transport(sshd.node());
    EXPECT_EQ(transport.read(path, 0, 8'000'000, {})->bytes, large);
    EXPECT_EQ(transport.read(path, 5'999'990, 1000, {})->bytes, large.substr(5'999'990));
    EXPECT_TRUE(transport.read(path + "2", 0, 10, {})->missing);
    EXPECT_TRUE(transport.read(path + "/2", 0, 10, {})->missing);
    EXPECT_FALSE(transport.read("/proc/sys/kernel/random/boot_id", 0, 100, {})->bytes.empty())
        << "a file that says that it is empty";
    EXPECT_EQ(commands(sshd), 0);
    EXPECT_EQ(count(sshd.log(), "Starting session: subsystem 'sftp'"), 1) << "one channel for all";
}

TEST(SshFiles, AreFollowedAsTheyGrowAndWhenAnotherTakesTheirPlace) {
    const test::Sshd sshd;
    const auto path = sshd.folder().path() / "grows";
    SshTransport transport(sshd.node());
    std::string read;
    const auto next = [&](std::size_t most) {
        const auto chunk = transport.read(path.string(), read.size(), most, {Milliseconds(10'000), {}});
        ASSERT_TRUE(chunk) << describe(chunk.error());
        read += chunk->bytes;
    };
    for (int i = 0; i < 20; ++i) {
        std::ofstream(path, std::ios::app) << i << "\n";
        next(1000);
        next(0);  // no more than whether it is there
        next(1000);
    }
    EXPECT_THAT(read, testing::EndsWith("18\n19\n"));
    std::filesystem::rename(path, path.string() + ".old");
    std::ofstream(path) << read << "of another\n";
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!read.ends_with("another\n") && std::chrono::steady_clock::now() < until) {
        next(1000);
        std::this_thread::sleep_for(Milliseconds(50));
    }
    EXPECT_THAT(read, testing::EndsWith("19\nof another\n"));
}

TEST(SshFiles, AFolderIsNoFile) {
    const test::Sshd sshd;
    SshTransport transport(sshd.node());
    const auto chunk = transport.read(sshd.folder().path().string(), 0, 10, {});
    ASSERT_FALSE(chunk);
    EXPECT_THAT(chunk.error().what, testing::HasSubstr("cannot be read"));
    EXPECT_FALSE(transport.read((sshd.folder().path() / "log").string(), 0, 10, {})->bytes.empty())
        << "the next one is read all the same";
}

// No SFTP at all; one that a shell file spoils; one that ends at once.
TEST(SshFiles, AreReadByCommandsWhereThereIsNoSftp) {
    for (const char* setting :
         {"Subsystem other internal-sftp", "Subsystem sftp /bin/echo Welcome", "Subsystem sftp /bin/false"}) {
        const test::Sshd sshd(setting);
        sshd.folder().write("a log", "some lines");
        const std::string path = (sshd.folder().path() / "a log").string();
        SshTransport transport(sshd.node());
        for (int i = 0; i < 2; ++i) {
            const auto chunk = transport.read(path, 5, 100, {});
            ASSERT_TRUE(chunk) << setting << describe(chunk.error());
            EXPECT_EQ(chunk->bytes, "lines") << setting;
        }
        EXPECT_EQ(commands(sshd), 2) << setting;
    }
}

TEST(SshFiles, GiveTheirChannelToCommandsWhereThereIsOnlyOne) {
    const test::Sshd sshd("MaxSessions 1");
    sshd.folder().write("a log", "some lines");
    const std::string path = (sshd.folder().path() / "a log").string();
    SshTransport transport(sshd.node());
    EXPECT_EQ(transport.read(path, 0, 100, {})->bytes, "some lines");
    // As the runner tries again what may pass: a channel before may still be closing.
    const auto retry = [](auto call) {
        auto result = call();
        for (int tries = 0; tries < 100 && !result; ++tries) {
            std::this_thread::sleep_for(50ms);
            result = call();
        }
        return result;
    };
    const auto result = retry([&] { return transport.run({"echo here", {}}, {}); });
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->output, "here\n");
    const auto chunk = retry([&] { return transport.read(path, 0, 100, {}); });
    ASSERT_TRUE(chunk) << describe(chunk.error());
    EXPECT_EQ(chunk->bytes, "some lines");
}

TEST(SshFiles, AreReadBesideCommands) {
    const test::Sshd sshd;
    const std::string large = largeText();
    sshd.folder().write("a log", large);
    const std::string path = (sshd.folder().path() / "a log").string();
    SshTransport transport(sshd.node());
    std::atomic<int> good = 0;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < 6; ++i) {
            threads.emplace_back([&, i] {
                const auto chunk = transport.read(path, i * 100'000, 4'000'000, {});
                good += chunk && chunk->bytes == large.substr(i * 100'000, 4'000'000) ? 1 : 0;
            });
            threads.emplace_back([&] {
                const auto result = transport.run({"cat", large, 8'000'000}, {});
                good += result && result->output == large ? 1 : 0;
            });
        }
    }
    EXPECT_EQ(good, 12);
}

TEST(SshFiles, AStoppedReadEnds) {
    const test::Sshd sshd;
    sshd.folder().write("a log", largeText());
    const std::string path = (sshd.folder().path() / "a log").string();
    SshTransport transport(sshd.node());
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(transport.read(path, 0, 8'000'000, {30s, stop.get_token()}));
    EXPECT_FALSE(transport.read(path, 0, 8'000'000, {0ms, {}}));
    EXPECT_EQ(transport.read(path, 0, 8'000'000, {})->bytes, largeText()) << "the others go on";
}

TEST(SshFiles, AreReadAgainAfterALoss) {
    test::Sshd sshd;
    sshd.folder().write("a log", "some lines");
    const std::string path = (sshd.folder().path() / "a log").string();
    SshTransport transport(sshd.node());
    ASSERT_TRUE(transport.read(path, 0, 100, {}));
    sshd.stop();
    const auto lost = transport.read(path, 0, 100, {});
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind, ErrorKind::Transient);
    sshd.start();
    Result<FileChunk> again = lost;
    for (int tries = 0; tries < 300 && !again; ++tries) {
        std::this_thread::sleep_for(100ms);
        again = transport.read(path, 0, 100, {});
    }
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->bytes, "some lines");
}

}  // namespace
}  // namespace dlperf::remote
