// SPDX-License-Identifier: Apache-2.0
// Who a host is: known, new, changed. Against a real sshd.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "core/base/file.h"
#include "core/remote/ssh_transport.h"
#include "tests/remote/error_of.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A user who answers all questions about hosts in one way.
struct Owner {
    explicit Owner(HostKeyDecision answer)
        : answers(std::make_shared<CredentialCache>(
              AuthCallbacks{{}, [this, answer](const HostKeyRequest& question, const Limits&) {
                                asked.push_back(question);
                                return answer;
                            }})) {}

    std::vector<HostKeyRequest> asked;
    std::shared_ptr<CredentialCache> answers;
};

std::string knownHostsOf(const test::Sshd& sshd) {
    return readFile(sshd.folder().path() / "known_hosts").value_or("");
}

TEST(SshHostKey, AnUnknownOneIsRefusedWithItsFingerprint) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    EXPECT_THAT(errorOf(sshd.node()), AllOf(HasSubstr("is not known"), HasSubstr("SHA256:"),
                                            HasSubstr("connect once with ssh 'box'")));
}

TEST(SshHostKey, AChangedOneIsRefused) {
    const test::Sshd sshd;
    ASSERT_EQ(
        std::system(
            fmt::format("cd {} && cp id_ed25519.pub host_old.pub", sshd.folder().path().string()).c_str()),
        0);
    sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n", sshd.port(), sshd.hostKey("old")));
    EXPECT_THAT(errorOf(sshd.node()), HasSubstr("is another one than before"));
}

TEST(SshHostKey, TheTypeThatIsKnownIsAskedFor) {
    const test::Sshd sshd;
    for (const char* type : {"ed25519", "ecdsa"}) {
        sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n", sshd.port(), sshd.hostKey(type)));
        EXPECT_EQ(errorOf(sshd.node()), "") << type;
    }
}

TEST(SshHostKey, HashedNamesAreKnown) {
    const test::Sshd sshd;
    const std::string file = (sshd.folder().path() / "known_hosts").string();
    ASSERT_EQ(std::system(fmt::format("ssh-keygen -q -H -f {} 2>/dev/null", file).c_str()), 0);
    EXPECT_EQ(errorOf(sshd.node()), "");
}

TEST(SshHostKey, AnAliasIsLookedFor) {
    const test::Sshd sshd;
    sshd.writeConfig("Host box\n  HostKeyAlias the-box\n");
    sshd.writeKnownHosts("the-box " + sshd.hostKey("ed25519") + "\n");
    EXPECT_EQ(errorOf(sshd.node()), "");
}

TEST(SshHostKey, ANewOneIsShownAndStored) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("# a line without its end");
    Owner owner(HostKeyDecision::TrustAndStore);
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    ASSERT_EQ(owner.asked.size(), 1U);
    EXPECT_EQ(owner.asked[0].node, "far");
    EXPECT_EQ(owner.asked[0].host, fmt::format("[127.0.0.1]:{}", sshd.port()));
    EXPECT_EQ(owner.asked[0].type, "ssh-ed25519");
    EXPECT_THAT(owner.asked[0].fingerprint, testing::StartsWith("SHA256:"));
    EXPECT_EQ(knownHostsOf(sshd), fmt::format("# a line without its end\n[127.0.0.1]:{} {}\n", sshd.port(),
                                              sshd.hostKey("ed25519")));
    EXPECT_EQ(errorOf(sshd.node()), "") << "is known from now on, without anybody to ask";
}

TEST(SshHostKey, ANewOneIsStoredHashedWhereTheConfigurationSaysSo) {
    const test::Sshd sshd;
    sshd.writeConfig("Host box\n  HashKnownHosts yes\n");
    sshd.writeKnownHosts("");
    Owner owner(HostKeyDecision::TrustAndStore);
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    EXPECT_THAT(knownHostsOf(sshd), AllOf(HasSubstr("|1|"), Not(HasSubstr("127.0.0.1"))));
    EXPECT_EQ(errorOf(sshd.node()), "");
    EXPECT_EQ(std::system(fmt::format("ssh-keygen -F '[127.0.0.1]:{}' -f {} >/dev/null", sshd.port(),
                                      (sshd.folder().path() / "known_hosts").string())
                              .c_str()),
              0)
        << "OpenSSH finds it too";
}

TEST(SshHostKey, TheFolderOfTheFileIsMadeForItsOwnerOnly) {
    const test::Sshd sshd;
    const auto folder = sshd.folder().path() / "new" / "known_hosts";
    sshd.writeConfig(fmt::format("Host box\n  UserKnownHostsFile {}\n", folder.string()));
    Owner owner(HostKeyDecision::TrustAndStore);
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    EXPECT_EQ(std::filesystem::status(folder.parent_path()).permissions(), std::filesystem::perms(0700));
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms(0600));
}

TEST(SshHostKey, TrustForOnceLastsAsLongAsTheProcess) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    Owner owner(HostKeyDecision::TrustOnce);
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    EXPECT_EQ(owner.asked.size(), 1U);
    EXPECT_EQ(knownHostsOf(sshd), "");
    EXPECT_THAT(errorOf(sshd.node()), HasSubstr("is not known"));
}

TEST(SshHostKey, ARefusalIsRememberedUntilTheUserRetries) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    Owner owner(HostKeyDecision::Refuse);
    EXPECT_THAT(errorOf(sshd.node(), owner.answers), HasSubstr("is not known"));
    EXPECT_THAT(errorOf(sshd.node(), owner.answers), HasSubstr("is not known"));
    EXPECT_EQ(owner.asked.size(), 1U);
    owner.answers->forgetRefusals();
    EXPECT_THAT(errorOf(sshd.node(), owner.answers), HasSubstr("is not known"));
    EXPECT_EQ(owner.asked.size(), 2U);
}

TEST(SshHostKey, NobodyIsAskedAboutAChangedOne) {
    const test::Sshd sshd;
    const std::string wrong = readFile(sshd.folder().path() / "id_ed25519.pub").value();
    for (const char* policy : {"ask", "accept-new", "no"}) {
        sshd.writeConfig(fmt::format("Host box\n  StrictHostKeyChecking {}\n", policy));
        sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}", sshd.port(), wrong));
        Owner owner(HostKeyDecision::TrustAndStore);
        EXPECT_THAT(errorOf(sshd.node(), owner.answers), HasSubstr("is another one than before")) << policy;
        EXPECT_TRUE(owner.asked.empty());
    }
}

TEST(SshHostKey, TheConfigurationMayAcceptNewOnesOrForbidToAsk) {
    const test::Sshd sshd;
    Owner owner(HostKeyDecision::TrustAndStore);
    sshd.writeKnownHosts("");
    sshd.writeConfig("Host box\n  StrictHostKeyChecking yes\n");
    EXPECT_THAT(errorOf(sshd.node(), owner.answers), HasSubstr("is not known"));
    sshd.writeConfig("Host box\n  StrictHostKeyChecking accept-new\n");
    EXPECT_EQ(errorOf(sshd.node(), owner.answers), "");
    EXPECT_TRUE(owner.asked.empty());
    EXPECT_THAT(knownHostsOf(sshd), HasSubstr(sshd.hostKey("ed25519")));
}

TEST(SshHostKey, ACallWaitsForTheUserPastItsDeadline) {
    using namespace std::chrono_literals;
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    // On a busy machine the login behind the question takes longer than a second: then all have more time.
    Result<CommandResult> result = fail("was not tried");
    for (Milliseconds deadline = 1s; deadline < 20s && !result; deadline *= 2) {
        const auto ask = [deadline](const HostKeyRequest&, const Limits&) {
            std::this_thread::sleep_for(3 * deadline);  // the user reads
            return HostKeyDecision::TrustOnce;
        };
        SshTransport transport(sshd.node(), std::make_shared<CredentialCache>(AuthCallbacks{{}, ask}));
        result = transport.run({"true", {}}, {deadline, {}});
    }
    EXPECT_TRUE(result) << describe(result.error());
}

}  // namespace
}  // namespace dlperf::remote
