// SPDX-License-Identifier: Apache-2.0
// What ssh -G answers, and the commands that carry a connection.
#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SshSettings, SayHowLongAHostMayBeSilent) {
    EXPECT_FALSE(sshSettingsFrom("serveraliveinterval 0\nserveralivecountmax 3\n").silence());
    EXPECT_EQ(sshSettingsFrom("serveraliveinterval 5\n").silence(), std::chrono::seconds(15));
    EXPECT_EQ(sshSettingsFrom("serveraliveinterval 5\nserveralivecountmax 0\n").silence(),
              std::chrono::seconds(5));
    EXPECT_EQ(sshSettingsFrom("serveraliveinterval 2147483647\nserveralivecountmax 2147483647\n").silence(),
              std::chrono::hours(24));
}

TEST(SshSettings, AreReadFromTheProgramsAnswer) {
    const SshSettings settings = sshSettingsFrom(
        "host box\nuser ada\nhostname 10.0.0.7\nport 2222\nidentitiesonly yes\nidentityfile ~/.ssh/one\n"
        "identityfile /keys/my key\nuserknownhostsfile ~/.ssh/known_hosts ~/.ssh/known_hosts2\n"
        "globalknownhostsfile none\nproxyjump a,b\nhostkeyalias lab\nconnecttimeout none\nidentityagent "
        "none\n");
    EXPECT_EQ(settings.host, "10.0.0.7");
    EXPECT_EQ(settings.port, 2222);
    EXPECT_EQ(settings.user, "ada");
    EXPECT_EQ(settings.hostKeyAlias, "lab");
    EXPECT_EQ(settings.proxyJump, "a,b");
    EXPECT_EQ(settings.identityAgent, "none");
    EXPECT_TRUE(settings.identitiesOnly);
    EXPECT_THAT(settings.identityFiles, ElementsAre(expandHome("~/.ssh/one"), "/keys/my key"));
    EXPECT_THAT(settings.knownHostsFiles,
                ElementsAre(expandHome("~/.ssh/known_hosts"), expandHome("~/.ssh/known_hosts2")));
}

TEST(SshSettings, WhatMayBeAskedAndTrustedIsRead) {
    const SshSettings plain = sshSettingsFrom("stricthostkeychecking ask\nconnecttimeout none\n");
    EXPECT_EQ(plain.newHostKeys, HostKeyPolicy::Ask);
    EXPECT_FALSE(plain.connectTime);
    EXPECT_TRUE(plain.mayAsk && plain.mayUseKeys && plain.mayUsePassword && plain.mayUsePrompts);
    const SshSettings strict = sshSettingsFrom(
        "stricthostkeychecking true\nconnecttimeout 7\nbatchmode yes\nhashknownhosts yes\n"
        "globalknownhostsfile /etc/g\nuserknownhostsfile /u/1 /u/2\npubkeyauthentication false\n"
        "passwordauthentication no\nkbdinteractiveauthentication no\ngssapiauthentication yes\n");
    EXPECT_EQ(strict.newHostKeys, HostKeyPolicy::Refuse);
    EXPECT_EQ(strict.connectTime, Milliseconds{7000});
    EXPECT_TRUE(strict.hashKnownHosts && strict.mayUseKerberos);
    EXPECT_EQ(strict.knownHostsStore, "/u/1");
    EXPECT_FALSE(strict.mayAsk || strict.mayUseKeys || strict.mayUsePassword || strict.mayUsePrompts);
    EXPECT_EQ(sshSettingsFrom("stricthostkeychecking accept-new\n").newHostKeys, HostKeyPolicy::Accept);
    EXPECT_EQ(sshSettingsFrom("userknownhostsfile none\n").knownHostsStore, "");
}

TEST(SshSettings, AProxyCommandHasItsSignsReplaced) {
    SshSettings settings;
    settings.alias = "box";
    settings.host = "10.0.0.7";
    settings.port = 2222;
    settings.user = "ada";
    EXPECT_EQ(proxyCommandOf(settings), "");
    settings.proxyCommand = "nc -X 5 %h %p # %r at %n, 100%% %x";
    EXPECT_EQ(proxyCommandOf(settings), "exec nc -X 5 10.0.0.7 2222 # ada at box, 100% %x");
}

TEST(SshSettings, JumpsAreMadeByTheSystemsProgram) {
    SshSettings settings;
    settings.host = "10.0.0.7";
    settings.proxyJump = "first,ada@second:2200";
    EXPECT_EQ(proxyCommandOf(settings),
              "exec ssh -o BatchMode=yes -J 'first' -W '[10.0.0.7]:22' -- 'ssh://ada@second:2200'");
    settings.proxyJump = "second";
    EXPECT_EQ(proxyCommandOf(settings), "exec ssh -o BatchMode=yes -W '[10.0.0.7]:22' -- 'second'");
}

TEST(SshSettings, AHostileNameIsNoOption) {
    for (const char* name : {"-oProxyCommand=touch x", "a b", "a;b", "$(x)", ""}) {
        cluster::Node node;
        node.name = "n";
        node.host = name;
        const auto settings = askSshSettings(node, {});
        ASSERT_FALSE(settings) << name;
        EXPECT_THAT(describe(settings.error()), HasSubstr("no name of a host"));
    }
}

TEST(SshSettings, TheNodesOwnWordsGoFirst) {
    cluster::Node node;
    node.name = "n";
    node.host = "box.invalid";
    node.port = 2201;
    node.user = "grace";
    node.identityFile = "/keys/one";
    const auto settings = askSshSettings(node, {});
    ASSERT_TRUE(settings) << describe(settings.error());
    EXPECT_EQ(settings->host, "box.invalid");
    EXPECT_EQ(settings->port, 2201);
    EXPECT_EQ(settings->user, "grace");
    EXPECT_THAT(settings->identityFiles, testing::Contains("/keys/one"));
}

}  // namespace
}  // namespace dlperf::remote
