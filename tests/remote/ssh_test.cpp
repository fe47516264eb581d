// SPDX-License-Identifier: Apache-2.0
// What only SSH has: logins, jumps, losses. Against a real sshd.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "core/remote/ssh_transport.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

std::string errorOf(const cluster::Node& node) {
    SshTransport transport(node);
    const auto result = transport.run({"true", {}}, {});
    return result ? "" : describe(result.error());
}

TEST(SshLogin, ARefusedOneSaysWhatWasTried) {
    const test::Sshd sshd;
    sshd.folder().write("authorized_keys", "");
    EXPECT_THAT(errorOf(sshd.node()),
                AllOf(HasSubstr("does not let in"), HasSubstr("id_ed25519"), HasSubstr("publickey")));
}

TEST(SshLogin, AnEcdsaKeyIsTaken) {
    const test::Sshd sshd;
    const std::string file = (sshd.folder().path() / "id_ecdsa").string();
    ASSERT_EQ(std::system(fmt::format("ssh-keygen -q -t ecdsa -N '' -f {0} && cp {0}.pub {1}", file,
                                      (sshd.folder().path() / "authorized_keys").string())
                              .c_str()),
              0);
    cluster::Node node = sshd.node();
    node.identityFile = file;
    EXPECT_EQ(errorOf(node), "");
}

TEST(SshLogin, AgentsKeysAreTaken) {
    const test::Sshd sshd;
    const std::string here = sshd.folder().path().string();
    ASSERT_EQ(
        std::system(fmt::format("ssh-agent -a {0}/agent >{0}/agent.env && . {0}/agent.env >/dev/null && "
                                "ssh-add -q {0}/id_ed25519 && mv {0}/id_ed25519 {0}/away",
                                here)
                        .c_str()),
        0);
    ::setenv("SSH_AUTH_SOCK", (here + "/agent").c_str(), 1);
    EXPECT_EQ(errorOf(sshd.node()), "");
    ::unsetenv("SSH_AUTH_SOCK");
    EXPECT_EQ(std::system(fmt::format(". {}/agent.env >/dev/null && kill $SSH_AGENT_PID", here).c_str()), 0);
}

TEST(SshJump, OneAndTwoHopsOfTheConfiguration) {
    const test::Sshd far;
    const test::Sshd bastion;
    for (const char* jumps : {"first", "first,second"}) {
        std::string hops;
        for (const char* hop : {"first", "second"}) {
            hops += fmt::format("Host {}\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}/id_ed25519\n",
                                hop, bastion.port(), bastion.folder().path().string());
        }
        // The last one made is first on PATH, so its configuration counts.
        bastion.writeConfig(
            fmt::format("{}Host far\n  HostName 127.0.0.1\n  Port {}\n  ProxyJump {}\n  IdentityFile "
                        "{}/id_ed25519\n",
                        hops, far.port(), jumps, far.folder().path().string()));
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

TEST(SshJump, AHopThatRefusesIsNoHang) {
    const test::Sshd far;
    far.writeConfig("Host box\n  ProxyCommand exit 1\n");
    EXPECT_THAT(errorOf(far.node()), HasSubstr("does not greet"));
}

TEST(SshLoss, AServerThatComesBackIsReachedAgain) {
    test::Sshd sshd;
    SshTransport transport(sshd.node());
    ASSERT_TRUE(transport.run({"true", {}}, {}));
    std::jthread breaker([&] {
        std::this_thread::sleep_for(200ms);
        sshd.stop();
    });
    const auto lost = transport.run({"sleep 60", {}}, {});
    breaker.join();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind, ErrorKind::Passing) << describe(lost.error());
    const auto gone = transport.run({"true", {}}, {});
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().kind, ErrorKind::Passing) << describe(gone.error());
    sshd.start();
    bool back = false;
    for (int tries = 0; tries < 300 && !back; ++tries) {
        back = transport.run({"true", {}}, {}).has_value();
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_TRUE(back);
}

TEST(SshLoss, NobodyThereIsPassing) {
    test::Sshd sshd;
    sshd.stop();
    SshTransport transport(sshd.node());
    const auto result = transport.run({"true", {}}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Passing);
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
