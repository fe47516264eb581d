// SPDX-License-Identifier: Apache-2.0
// known_hosts line by line. The hashed line was made with ssh-keygen -H for the name "box.lab".
#include <gmock/gmock.h>

#include "core/remote/known_hosts.h"

namespace dlperf::remote {
namespace {

constexpr const char* keyA = "AAAAC3NzaC1lZDI1NTE5AAAAIAXJ1fS2X0pBvDNZ0Cg0nQ7Zk6t6nF0kqX1b3m7y2v4B";
constexpr const char* keyB = "AAAAC3NzaC1lZDI1NTE5AAAAIB1c9dM4Vn0T5oD9Q3p1kZr7W2yXw8uE6sLhJfGaTq5C";

std::string line(const std::string& names, const std::string& key = keyA,
                 const std::string& type = "ssh-ed25519") {
    return names + " " + type + " " + key + " somebody@somewhere\n";
}

HostKey keyOf(const std::string& text, const std::string& type = "ssh-ed25519") {
    return parseKnownHosts(line("any", text, type)).at(0).key;
}

HostKeyVerdict check(const std::string& file, const std::string& name, const std::string& key = keyA) {
    return checkHostKey(parseKnownHosts(file), name, keyOf(key));
}

TEST(KnownHosts, AHostIsKnownByItsKeyUnknownOrChanged) {
    const std::string file = "# my machines\n\n" + line("box,10.0.0.1");
    EXPECT_EQ(check(file, "box"), HostKeyVerdict::Known);
    EXPECT_EQ(check(file, "BOX"), HostKeyVerdict::Known) << "names have no case";
    EXPECT_EQ(check(file, "10.0.0.1"), HostKeyVerdict::Known);
    EXPECT_EQ(check(file, "other"), HostKeyVerdict::Unknown);
    EXPECT_EQ(check(file, "box", keyB), HostKeyVerdict::Changed);
}

TEST(KnownHosts, AnotherPortIsAnotherHost) {
    EXPECT_EQ(knownHostName("box", 22), "box");
    EXPECT_EQ(knownHostName("box", 2222), "[box]:2222");
    EXPECT_EQ(check(line("[box]:2222"), "[box]:2222"), HostKeyVerdict::Known);
    EXPECT_EQ(check(line("[box]:2222", keyB), "box"), HostKeyVerdict::Unknown);
    EXPECT_EQ(check(line("[10.0.0.*]:2222"), "[10.0.0.7]:2222"), HostKeyVerdict::Known);
}

TEST(KnownHosts, OneOfSeveralKeysIsEnough) {
    const std::string file = line("box", keyB) + line("box", keyA);
    EXPECT_EQ(check(file, "box", keyA), HostKeyVerdict::Known);
    EXPECT_EQ(check(file, "box", keyB), HostKeyVerdict::Known);
}

TEST(KnownHosts, AKeyOfAnotherTypeIsNoChange) {
    const auto known = parseKnownHosts(line("box", keyB, "ecdsa-sha2-nistp256"));
    EXPECT_EQ(checkHostKey(known, "box", keyOf(keyA)), HostKeyVerdict::Unknown);
    EXPECT_THAT(knownKeyTypes(known, "box"), testing::ElementsAre("ecdsa-sha2-nistp256"));
    EXPECT_THAT(knownKeyTypes(known, "other"), testing::IsEmpty());
}

TEST(KnownHosts, NamesMayBeHashed) {
    const std::string file = line("|1|AAECAwQFBgcICQoLDA0ODxAREhM=|f//r64PFs40mgbtmDF1uk7Gbjgk=");
    EXPECT_EQ(check(file, "box.lab"), HostKeyVerdict::Known);
    EXPECT_EQ(check(file, "box.lab", keyB), HostKeyVerdict::Changed);
    EXPECT_EQ(check(file, "box"), HostKeyVerdict::Unknown);
}

TEST(KnownHosts, PatternsMatchAndExclude) {
    const std::string file = line("*.lab,!secret.lab");
    EXPECT_EQ(check(file, "box.lab"), HostKeyVerdict::Known);
    EXPECT_EQ(check(file, "secret.lab"), HostKeyVerdict::Unknown);
}

TEST(KnownHosts, ARevokedKeyIsRevokedWhereverItStands) {
    EXPECT_EQ(check(line("box") + "@revoked " + line("*"), "box"), HostKeyVerdict::Revoked);
    EXPECT_EQ(check("@revoked " + line("*") + line("box"), "box"), HostKeyVerdict::Revoked);
    EXPECT_EQ(check("@revoked " + line("*", keyB) + line("box"), "box"), HostKeyVerdict::Known);
}

TEST(KnownHosts, BadLinesAreNoTrouble) {
    const std::string file = "@cert-authority " + line("*") +
                             "box ssh-ed25519 not-base64!\nbox\n|1|x|y ssh-ed25519 " + keyB + "\n" +
                             line("box");
    EXPECT_EQ(check(file, "box"), HostKeyVerdict::Known);
    EXPECT_EQ(parseKnownHosts(file).size(), 2U);
}

TEST(KnownHosts, WhatIsAskedForIsWhatSshKnows) {
    EXPECT_EQ(hostKeyAlgorithms("ssh-ed25519"), std::vector<std::string>{"ssh-ed25519"});
    EXPECT_EQ(hostKeyAlgorithms("ssh-rsa").front(), "rsa-sha2-512");
    EXPECT_TRUE(hostKeyAlgorithms("ssh-dss").empty());
    EXPECT_TRUE(hostKeyAlgorithms("x,ssh-dss").empty());
}

TEST(KnownHosts, AHashedNameIsFoundAgain) {
    const std::string hashed = hashedHostName("[box]:2222");
    EXPECT_NE(hashed, hashedHostName("[box]:2222")) << "salted";
    EXPECT_EQ(check(hashed + " ssh-ed25519 " + keyA + "\n", "[box]:2222"), HostKeyVerdict::Known);
    EXPECT_EQ(check(hashed + " ssh-ed25519 " + keyA + "\n", "box"), HostKeyVerdict::Unknown);
}

TEST(KnownHosts, ALineSaysWhatItWasMadeOf) {
    const HostKey key = keyOf(keyA);
    EXPECT_EQ(knownHostLine("[box]:2222", key), std::string("[box]:2222 ssh-ed25519 ") + keyA);
    EXPECT_THAT(fingerprintOf(key), testing::MatchesRegex("SHA256:[A-Za-z0-9+/]+"));
    EXPECT_EQ(fingerprintOf(key).size(), 7U + 43U);
}

}  // namespace
}  // namespace dlperf::remote
