// SPDX-License-Identifier: Apache-2.0
// What only SSH has: jumps, losses, channels. Against a real sshd.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>
#include <thread>

#include "core/remote/ssh_transport.h"
#include "tests/remote/error_of.h"
#include "tests/remote/server_loss.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(SshJump, TakesOneAndTwoHopsOfAConfigurationWithIncludeAndMatch) {
    const test::Sshd far;
    const test::Sshd bastion;
    for (const char* jumps : {"first", "first,second"}) {
        std::string hops;
        for (const char* hop : {"first", "second"}) {
            hops += fmt::format("Host {}\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}/id_ed25519\n",
                                hop, bastion.port(), bastion.folder().path().string());
        }
        bastion.folder().write("hops", hops);
        // The last one made is first on PATH, so its configuration counts.
        bastion.writeConfig(
            fmt::format("Include {}/hops\n"
                        "Match originalhost other\n  ProxyJump nowhere\n"
                        "Match originalhost far exec \"true\"\n  ProxyJump {}\n"
                        "Host far\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}/id_ed25519\n",
                        bastion.folder().path().string(), jumps, far.port(), far.folder().path().string()));
        bastion.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n[127.0.0.1]:{} {}\n", bastion.port(),
                                            bastion.hostKey("ed25519"), far.port(), far.hostKey("ed25519")));
        cluster::Node node;
        node.name = "n";
        node.host = "far";
        EXPECT_EQ(errorOf(node), "") << jumps;
        EXPECT_THAT(bastion.log(), HasSubstr("Accepted publickey"));
        EXPECT_THAT(far.log(), HasSubstr("Accepted publickey"));
    }
}

TEST(SshJump, AHopThatRefusesEndsTheCall) {
    const test::Sshd far;
    far.writeConfig("Host box\n  ProxyCommand exit 1\n");
    EXPECT_THAT(errorOf(far.node()), HasSubstr("does not greet"));
}

TEST(SshLoss, AServerThatComesBackIsReachedAgain) {
    test::Sshd sshd;
    SshTransport transport(sshd.node());
    test::loseServerAndComeBack(transport, sshd);
}

TEST(SshLoss, AHostThatRefusesWhomItLetInBeforeMayTakeHimAgain) {
    test::Sshd sshd;
    SshTransport transport(sshd.node());
    test::refuseForAWhile(transport, sshd);
}

// What nobody reads must not wake the connection again and again.
TEST(SshLoss, AHostThatHangsUpOnAnIdleConnectionCostsNothing) {
    test::Sshd sshd;
    SshTransport transport(sshd.node());
    ASSERT_TRUE(transport.run({"true", {}}, {}));
    sshd.stop();
    const std::clock_t before = std::clock();  // of the processor
    std::this_thread::sleep_for(500ms);
    EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
}

TEST(SshLoss, AHostThatIsAwayIsATransientError) {
    test::Sshd sshd;
    sshd.stop();
    SshTransport transport(sshd.node());
    const auto result = transport.run({"true", {}}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Transient);
    EXPECT_THAT(describe(result.error()), HasSubstr("Connection refused"));
}

TEST(SshChannels, ManyCallsShareOneLogin) {
    const test::Sshd sshd;
    SshTransport transport(sshd.node());
    std::vector<std::jthread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 30; ++i) {
        threads.emplace_back([&, i] {
            const std::string input(100'000, static_cast<char>('a' + i % 26));
            const auto result = transport.run({"cat", input}, {});
            good += result && result->output == input ? 1 : 0;
        });
    }
    threads.clear();
    EXPECT_EQ(good, 30);
    const std::string log = sshd.log();
    EXPECT_EQ(log.find("Accepted publickey"), log.rfind("Accepted publickey"));
}

TEST(SshAccount, OneThatRunsNoCommandsIsNamed) {
    const test::Sshd sshd("ForceCommand /bin/false");
    EXPECT_THAT(errorOf(sshd.node()), HasSubstr("does not run commands"));
}

}  // namespace
}  // namespace dlperf::remote
