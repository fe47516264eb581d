// SPDX-License-Identifier: Apache-2.0
// The ssh program in the place of libssh2: when it takes over, and that it keeps the same rules. What every
// transport promises is tried in transport_test.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "core/base/file.h"
#include "core/remote/ssh_transport.h"
#include "tests/remote/error_of.h"
#include "tests/remote/server_loss.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

// Connections keep their sockets in here, so that what they leave can be seen.
class SshProgramTest : public testing::Test {
protected:
    SshProgramTest() { ::setenv("XDG_RUNTIME_DIR", runtime_.path().c_str(), 1); }
    ~SshProgramTest() override {
        ::unsetenv("XDG_RUNTIME_DIR");
        EXPECT_TRUE(std::filesystem::is_empty(runtime_.path()));
        bool runs = true;
        for (int tries = 0; tries < 250 && runs; ++tries) {
            runs = std::system(("exec pgrep -f " + runtime_.path().string() + " >/dev/null").c_str()) == 0;
            std::this_thread::sleep_for(20ms);
        }
        EXPECT_FALSE(runs) << "a connection was left behind";
    }

    test::Folder runtime_;
};

std::string errorByProgram(const cluster::Node& node, const std::shared_ptr<CredentialCache>& answers = {}) {
    SshTransport transport(node, answers, SshTransport::Way::Program);
    return errorOf(transport);
}

// A host that offers nothing that libssh2 knows, whatever its version.
test::SshdOptions strange() {
    return {.settings = "KexAlgorithms sntrup761x25519-sha512@openssh.com"};
}

TEST_F(SshProgramTest, TakesOverWhereTheHostSpeaksNoMethodOfTheLibrarys) {
    const test::Sshd sshd(strange());
    SshTransport transport(sshd.node());
    EXPECT_EQ(transport.route().way, "libssh2");
    EXPECT_EQ(errorOf(transport), "");
    EXPECT_EQ(transport.route().way, "ssh program");
    EXPECT_EQ(errorOf(transport), "");
}

TEST_F(SshProgramTest, AHostWithAnRsaKeyOnlyIsReached) {
    // By libssh2 from 1.11 on, else by the program.
    const test::Sshd sshd(test::SshdOptions{.hostKeys = {"rsa"}});
    SshTransport transport(sshd.node());
    EXPECT_EQ(errorOf(transport), "");
    EXPECT_EQ(transport.route().way,
              std::string(libssh2_version(0x010B00) != nullptr ? "libssh2" : "ssh program"));
}

TEST_F(SshProgramTest, CertificatesLetIn) {
    const test::Sshd sshd;
    const std::string here = sshd.folder().path().string();
    const std::string key = sshd.makeLogin("ed25519");
    ASSERT_EQ(std::system(fmt::format("cd {0} && ssh-keygen -q -t ed25519 -N '' -f ca && "
                                      "ssh-keygen -q -s ca -I test -n {1} id_login.pub 2>/dev/null && "
                                      "printf 'cert-authority %s\\n' \"$(cat ca.pub)\" >authorized_keys",
                                      here, test::Sshd::user())
                              .c_str()),
              0);
    cluster::Node node = sshd.node();
    node.identityFile = key;
    SshTransport transport(node);
    EXPECT_EQ(errorOf(transport), "");
    EXPECT_EQ(transport.route().way, "ssh program");
}

TEST_F(SshProgramTest, WhenBothFailTheSentenceSaysWhatEachTried) {
    const test::Sshd sshd;
    const std::string key = sshd.makeLogin("ed25519");
    sshd.folder().write("authorized_keys", "");
    sshd.folder().write("id_login-cert.pub", "no certificate");
    cluster::Node node = sshd.node();
    node.identityFile = key;
    SshTransport transport(node);
    EXPECT_THAT(errorOf(transport),
                AllOf(HasSubstr("does not let in: tried"), HasSubstr("id_login"),
                      HasSubstr("does not let the ssh program in"), HasSubstr("Permission denied")));
    EXPECT_EQ(transport.route().way, "libssh2");
}

TEST_F(SshProgramTest, ANewHostIsAskedAboutAndStored) {
    const test::Sshd sshd(strange());
    sshd.writeKnownHosts("");
    std::vector<HostKeyRequest> asked;
    const auto answers = std::make_shared<CredentialCache>(
        AuthCallbacks{{}, [&](const HostKeyRequest& question, const Limits&) {
                          asked.push_back(question);
                          return HostKeyDecision::TrustAndStore;
                      }});
    SshTransport transport(sshd.node(), answers);
    EXPECT_EQ(errorOf(transport), "");
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].host, fmt::format("[127.0.0.1]:{}", sshd.port()));
    EXPECT_THAT(readFile(sshd.folder().path() / "known_hosts").value_or(""),
                HasSubstr(sshd.hostKey("ed25519")));
    EXPECT_EQ(errorByProgram(sshd.node()), "") << "known from now on";
}

TEST_F(SshProgramTest, ANewHostIsRefusedWithNobodyToAskAndAChangedOneAlways) {
    const test::Sshd sshd;
    const std::string other = readFile(sshd.folder().path() / "id_ed25519.pub").value();
    sshd.writeKnownHosts("");
    EXPECT_THAT(errorByProgram(sshd.node()), AllOf(HasSubstr("is not known"), HasSubstr("SHA256:")));
    sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}", sshd.port(), other));
    EXPECT_THAT(errorByProgram(sshd.node()), HasSubstr("is another one than before"));
    EXPECT_THAT(sshd.log(), testing::Not(HasSubstr("Accepted"))) << "no key of the user's was shown";
}

TEST_F(SshProgramTest, TheTypeThatIsKnownIsAskedFor) {
    const test::Sshd sshd(test::SshdOptions{.hostKeys = {"ed25519", "ecdsa", "rsa"}});
    for (const char* type : {"ecdsa", "rsa", "ed25519"}) {
        sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n", sshd.port(), sshd.hostKey(type)));
        EXPECT_EQ(errorByProgram(sshd.node()), "") << type;
    }
}

TEST_F(SshProgramTest, TheUsersConfigurationDoesNotGetInTheWay) {
    const test::Sshd sshd;
    sshd.writeConfig(
        "Host box\n  RemoteCommand echo never\n  RequestTTY force\n  ControlMaster auto\n  ControlPath none\n"
        "  LocalCommand echo never\n  PermitLocalCommand yes\n  StrictHostKeyChecking no\n");
    SshTransport transport(sshd.node(), {}, SshTransport::Way::Program);
    const auto result = transport.run({"echo \"$0 it's\"; cat; exit 3", "in"}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->output, "/bin/sh it's\nin");
    EXPECT_EQ(result->exitCode, 3);
}

TEST_F(SshProgramTest, JumpsOfTheConfigurationAreTaken) {
    const test::Sshd far(strange());
    const test::Sshd bastion;
    bastion.writeConfig(fmt::format(
        "Host hop\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}/id_ed25519\n"
        "Host far\n  HostName 127.0.0.1\n  Port {}\n  ProxyJump hop\n  IdentityFile {}/id_ed25519\n",
        bastion.port(), bastion.folder().path().string(), far.port(), far.folder().path().string()));
    bastion.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n[127.0.0.1]:{} {}\n", bastion.port(),
                                        bastion.hostKey("ed25519"), far.port(), far.hostKey("ed25519")));
    cluster::Node node;
    node.name = "n";
    node.host = "far";
    SshTransport transport(node);
    EXPECT_EQ(errorOf(transport), "");
    EXPECT_EQ(transport.route().way, "ssh program");
    EXPECT_THAT(bastion.log(), HasSubstr("Accepted publickey"));
}

TEST_F(SshProgramTest, OneLoginIsSharedAndALostOneIsMadeAgain) {
    test::Sshd sshd;
    SshTransport transport(sshd.node(), {}, SshTransport::Way::Program);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(errorOf(transport), "");
    }
    const std::string log = sshd.log();
    EXPECT_EQ(log.find("Accepted publickey"), log.rfind("Accepted publickey"));
    test::loseServerAndComeBack(transport, sshd);
}

TEST_F(SshProgramTest, AHostThatRefusesWhomItLetInBeforeMayTakeHimAgain) {
    test::Sshd sshd;
    SshTransport transport(sshd.node(), {}, SshTransport::Way::Program);
    test::refuseForAWhile(transport, sshd);
}

TEST_F(SshProgramTest, CallsBeyondTheHostsSessionsWaitTheirTurn) {
    const test::Sshd sshd;
    SshTransport transport(sshd.node(), {}, SshTransport::Way::Program);
    std::vector<std::jthread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 24; ++i) {
        threads.emplace_back([&, i] {
            const auto result = transport.run({"cat", std::to_string(i)}, {60s, {}});
            good += result && result->output == std::to_string(i) ? 1 : 0;
        });
    }
    threads.clear();
    EXPECT_EQ(good, 24);
}

TEST_F(SshProgramTest, AnAccountThatRunsNoCommandsIsNamed) {
    const test::Sshd sshd("ForceCommand /bin/false");
    EXPECT_THAT(errorByProgram(sshd.node()), HasSubstr("does not run commands"));
}

}  // namespace
}  // namespace dlperf::remote
