// SPDX-License-Identifier: Apache-2.0
// Listeners and connections are real ones of this machine's; the verdicts are over made ones.
#include "core/cluster/link_checks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/named_interfaces.h"
#include "core/remote/local_transport.h"

namespace dlperf::cluster {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string runHere(const std::string& script) {
    remote::LocalTransport here("here");
    const auto ran = here.run({script, {}}, {});
    EXPECT_TRUE(ran) << (ran ? "" : describe(ran.error()));
    return ran ? ran->output : "";
}

// A PATH on which of all programs only these are found.
class Programs {
public:
    explicit Programs(const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names) {
            text += fmt::format("ln -s \"$(command -v {0})\" {1}/{0}\n", name, folder_.path().string());
        }
        // Its place may hold a script that chooses among several.
        text += "[ ! -e python3 ] || ln -sf \"$(python3 -c 'import sys; print(sys.executable)')\" python3\n";
        runHere("cd " + shellQuote(folder_.path().string()) + "\n" + text);
    }
    [[nodiscard]] std::string path() const { return "PATH=" + shellQuote(folder_.path().string()) + "\n"; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

private:
    TemporaryFolder folder_ = TemporaryFolder::make("programs").value();
};

const std::vector<std::string> shellTools{"sh",    "bash",    "sed",  "tr", "grep",
                                          "sleep", "timeout", "tail", "ip", "getent"};

std::vector<Connection> connectHere(const std::vector<Peer>& peers) {
    return parseLinks("a", peers, runHere(connectScript(peers)));
}

class ListenBy : public testing::TestWithParam<std::string> {};

TEST_P(ListenBy, SaysItsWordToEveryoneAndEnds) {
    auto names = shellTools;
    names.push_back(GetParam());
    const Programs programs(names);
    const std::string word = "it's $(me); \"w\"";
    const Listener listener = parseListener(runHere(programs.path() + listenScript(word, 11)));
    ASSERT_GT(listener.port, 0);
    const std::vector<Peer> peers(3, Peer{"b", "127.0.0.1", listener.port, word, 0});
    for (const Connection& link : connectHere(peers)) {
        EXPECT_EQ(link.state, Connection::State::Reached) << link.said;
    }
    runHere(endListenerScript(listener.pid));
    const auto after = connectHere({peers.front()});
    EXPECT_EQ(after.at(0).state, Connection::State::Failed);
    EXPECT_EQ(after.at(0).said, "Connection refused");
}

INSTANTIATE_TEST_SUITE_P(Links, ListenBy, testing::Values("python3", "perl"));

TEST(Links, AToolThatDoesNotWorkIsPassedOver) {
    auto names = shellTools;
    names.push_back("perl");
    const Programs programs(names);
    ASSERT_TRUE(writeFileAtomically(programs.folder() / "python3", "#!/bin/sh\nexit 1\n", 0755));
    const Listener listener = parseListener(runHere(programs.path() + listenScript("w", 3)));
    EXPECT_GT(listener.port, 0);
    runHere(endListenerScript(listener.pid));
}

// Debian's bash takes a shell without a terminal for a login by sshd, and reads the file.
TEST(Links, AShellThatGreetsDoesNotHideTheWord) {
    const TemporaryFolder home = TemporaryFolder::make("home").value();
    ASSERT_TRUE(writeFileAtomically(home.path() / ".bashrc", "echo Welcome\n"));
    const std::string login =
        "export HOME=" + shellQuote(home.path().string()) + " SSH_CLIENT='10.0.0.1 1 22' SHLVL=0\n";
    const Listener listener = parseListener(runHere(login + listenScript("word", 5)));
    ASSERT_GT(listener.port, 0);
    const std::vector<Peer> peers{{"b", "127.0.0.1", listener.port, "word", 0}};
    const auto links = parseLinks("a", peers, runHere(login + connectScript(peers)));
    EXPECT_EQ(links.at(0).state, Connection::State::Reached) << links.at(0).said;
    runHere(endListenerScript(listener.pid));
}

TEST(Links, WithoutAToolThatIsSaid) {
    const Programs programs(shellTools);
    const Listener listener = parseListener(runHere(programs.path() + listenScript("w", 3)));
    EXPECT_EQ(listener.port, 0);
    EXPECT_TRUE(listener.noTool);
}

TEST(Links, SayWhyTheyFail) {
    const auto links = connectHere({{"b", "no-such-host.invalid", 1, "w", 0}, {"c", "127.0.0.1", 1, "w", 0}});
    EXPECT_EQ(links[0].state, Connection::State::Failed);
    EXPECT_THAT(links[0].said, AllOf(testing::Not(""), testing::Not(HasSubstr("dev/tcp"))));
    EXPECT_EQ(links[1].said, "Connection refused");
    EXPECT_EQ(links[1].interface, "lo");
}

TEST(Links, AnotherProgramThatAnswersIsNotTheNode) {
    const Listener other = parseListener(runHere(listenScript("other", 20)));
    ASSERT_GT(other.port, 0);
    const auto links = connectHere({{"b", "127.0.0.1", other.port, "mine", 0}});
    EXPECT_EQ(links.at(0).state, Connection::State::WrongNode);
    runHere(endListenerScript(other.pid));
}

TEST(Links, WhateverIsPrintedIsBoundedAndNamesAreQuoted) {
    const std::vector<Peer> peers{{"b", "'; touch /nowhere/x; '", 1, "w", 0}};
    EXPECT_EQ(connectHere(peers).at(0).state, Connection::State::Failed);
    const auto odd =
        parseLinks("a", peers, "link 7 0 w\nlink -1 0 w\nlink\nway 0\nlink 0 1 " + std::string(100'000, 'x'));
    EXPECT_EQ(odd.at(0).state, Connection::State::Failed);
    EXPECT_LE(odd.at(0).said.size(), 1000U);
    EXPECT_EQ(parseListener("port x\npid 1\npid rm -rf").pid, "");
}

// As where a user's shell complains when it starts.
TEST(LinkProbe, AWordBehindOtherWordsIsTheNodesOwn) {
    const std::vector<Peer> peers{{"b", "127.0.0.1", 1, "dlperf-1-ab", 0}};
    const auto links = parseLinks("a", peers, "link 0 0 pyenv: cannot rehash dlperf-1-ab\n");
    EXPECT_EQ(links.at(0).state, Connection::State::Reached);
    const auto other = parseLinks("a", peers, "link 0 0 dlperf-1-ab and more\n");
    EXPECT_EQ(other.at(0).state, Connection::State::WrongNode);
    EXPECT_NE(other.at(0).said.find("and more"), std::string::npos);
}

NodeAnswer reached(const std::string& name) {
    NodeAnswer answer;
    answer.node.name = name;
    answer.node.host = name;
    answer.facts = NodeFacts{};
    answer.facts->interfaces = {{"lo", "127.0.0.1/8", 0, true, true},
                                {"enp5s0", "10.11.0.2/24 fe80::1/64", 100'000, true, false}};
    return answer;
}

Connection made(const std::string& from, const std::string& to) {
    Connection link;
    link.from = from;
    link.to = to;
    link.address = to + ".lab";
    link.port = 12'345;
    link.state = Connection::State::Reached;
    link.interface = "enp5s0";
    return link;
}

struct Pair {
    std::vector<NodeAnswer> nodes{reached("a"), reached("b")};
    std::vector<NodeLinks> links{{{12'345, "7", false}, {made("a", "b")}, {}},
                                 {{12'346, "8", false}, {made("b", "a")}, {}}};

    [[nodiscard]] Check find(const std::string& title) const {
        const auto checks = checkLinks(nodes, links);
        const auto found = std::ranges::find(checks, title, &Check::title);
        EXPECT_NE(found, checks.end()) << title;
        return found == checks.end() ? Check{} : *found;
    }
};

TEST(LinkChecks, NodesThatReachEachOtherPass) {
    const Pair pair;
    const auto checks = checkLinks(pair.nodes, pair.links);
    EXPECT_EQ(checks.size(), 3U);
    for (const Check& check : checks) {
        EXPECT_EQ(check.verdict, Verdict::Passed) << check.title << ": " << check.summary;
    }
    EXPECT_EQ(pair.find("Network interface").summary, "enp5s0");
}

TEST(LinkChecks, AConnectionThatFailsIsNamed) {
    Pair pair;
    Connection& link = pair.links[1].links[0];
    link.state = Connection::State::Failed;
    link.said = "No route to host";
    const Check check = pair.find("Connections");
    EXPECT_EQ(check.verdict, Verdict::Failed);
    EXPECT_FALSE(check.stopsRun);
    EXPECT_EQ(check.summary, "1 of 2 fail: b to a, No route to host");
    EXPECT_EQ(check.command, "bash -c 'exec 3<>/dev/tcp/a.lab/12345'");
    link.state = Connection::State::WrongNode;
    EXPECT_THAT(pair.find("Connections").explanation, HasSubstr("127.0.1.1"));
}

TEST(LinkChecks, WhatCouldNotBeTriedIsNoFailure) {
    Pair pair;
    pair.links[0].listener = {0, "", true};
    pair.links[1].links[0].state = Connection::State::Untried;
    EXPECT_EQ(pair.find("Master port").verdict, Verdict::Warning);
    EXPECT_EQ(pair.find("Connections").summary, "could not be tried to a");
    EXPECT_EQ(pair.find("Connections").verdict, Verdict::Warning);
}

// The pitfall of DLPerf's notes: NCCL took fe80::…%13, the address of a veth.
TEST(LinkChecks, VirtualInterfacesThatMisleadNcclAreNamed) {
    Pair pair;
    pair.nodes[1].facts->interfaces.push_back({"veth13", "fe80::a480:7fff:fecf:1ed9/64", 10'000, true, true});
    pair.nodes[1].facts->interfaces.push_back({"docker0", "172.17.0.1/16", 0, true, true});
    pair.nodes[1].facts->interfaces.push_back({"virbr0", "192.168.122.1/24", 0, false, true});
    Check check = pair.find("Network interface");
    EXPECT_EQ(check.verdict, Verdict::Warning);
    EXPECT_EQ(check.summary, "b: veth13, docker0 may be taken for the network instead of enp5s0");
    EXPECT_EQ(check.command, "export NCCL_SOCKET_IFNAME=enp5s0");
    pair.nodes[1].node.interface = "enp5s0";
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Passed);
    pair.nodes[1].node.interface = "eth9";
    EXPECT_EQ(pair.find("Network interface").summary, "b: has no interface eth9");
    EXPECT_TRUE(pair.find("Network interface").stopsRun);
    pair.nodes[1].node.interface = "docker0";
    EXPECT_THAT(pair.find("Network interface").summary, HasSubstr("begins at enp5s0, not at docker0"));
    pair.nodes[1].node.interface.clear();
    pair.nodes[1].node.env["NCCL_SOCKET_IFNAME"] = "enp";
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Passed);
}

// Debian's 127.0.1.1: Gloo tells the others to connect to it.
TEST(LinkChecks, AMachinesNameThatLeadsToItselfIsWarnedOf) {
    Pair pair;
    pair.nodes[1].facts->host = "b";
    pair.nodes[1].facts->ownAddresses = {"127.0.1.1"};
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Passed);  // one machine
    pair.nodes[1].facts->machine = "another";
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Warning);
    EXPECT_EQ(pair.find("Network interface").summary, "b: its own name, b, leads to 127.0.1.1");
    pair.nodes[1].facts->ownAddresses.emplace_back("10.11.0.2");
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Passed);
    pair.nodes[1].facts->ownAddresses.pop_back();
    pair.nodes[1].node.interface = "enp5s0";
    EXPECT_EQ(pair.find("Network interface").verdict, Verdict::Passed);
}

TEST(LinkChecks, SshBetweenNodesSaysWhatSshSaid) {
    Pair pair;
    pair.links[0].links[0].sshTried = true;
    EXPECT_EQ(pair.find("SSH between nodes").verdict, Verdict::Passed);
    pair.links[0].links[0].sshCode = 255;
    pair.links[0].links[0].sshSaid = "Host key verification failed.";
    const Check check = pair.find("SSH between nodes");
    EXPECT_EQ(check.verdict, Verdict::Failed);
    EXPECT_THAT(check.summary, HasSubstr("a to b: Host key verification failed."));
}

TEST(LinkChecks, NodesThatWereNotReachedArePassedOver) {
    Pair pair;
    pair.nodes[0].facts.reset();
    EXPECT_EQ(checkLinks(pair.nodes, pair.links).size(), 1U);
    EXPECT_EQ(pair.find("Master port").summary, "12346 is free on b");
    pair.nodes[1].facts.reset();
    EXPECT_TRUE(checkLinks(pair.nodes, pair.links).empty());
}

// a and b have eth1 as well; each connected to the other over it.
struct PairOver : Pair {
    PairOver() {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string address = "10.1.0." + std::to_string(i + 1) + "/24";
            nodes[i].facts->interfaces.push_back({"eth1", address, 10'000, true, false});
            Connection link = i == 0 ? made("a", "b") : made("b", "a");
            link.address = i == 0 ? "10.1.0.2" : "10.1.0.1";
            link.interface = "eth1";
            links[i].over["eth1"].links = {link};
        }
    }
    [[nodiscard]] std::vector<Check> checks() const { return checkNamedInterface("eth1", nodes, links); }
    [[nodiscard]] Check check() const {
        const auto found = checks();
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? Check{} : found.front();
    }
    Connection& over(std::size_t node) { return links[node].over["eth1"].links[0]; }
};

TEST(NamedInterfaces, ThatJoinTheNodesPass) {
    const PairOver pair;
    EXPECT_EQ(pair.check().verdict, Verdict::Passed) << pair.check().summary;
    EXPECT_EQ(pair.check().title, "Way over eth1");
    EXPECT_EQ(pair.check().summary, "2 connections made");
}

TEST(NamedInterfaces, ThatLeadNowhereStopTheRun) {
    PairOver pair;
    pair.over(0).state = Connection::State::Failed;
    pair.over(0).said = "No route to host";
    EXPECT_TRUE(pair.check().stopsRun);
    EXPECT_EQ(pair.check().summary, "does not lead from a to b (10.1.0.2): No route to host");
    pair.links[0].over.clear();
    pair.nodes[1].facts->interfaces.back().up = false;
    EXPECT_TRUE(pair.check().stopsRun);
    EXPECT_EQ(pair.check().summary, "is not up with an address on b");
    pair.nodes[1].facts->interfaces.back() = {"eth1", "fe80::1/64", 10'000, true, false};
    EXPECT_EQ(pair.check().summary, "is not up with an address on b");
    pair.nodes[1].facts->interfaces.pop_back();
    pair.links[1].over["eth1"].error.what = "Device \"eth1\" does not exist.";
    EXPECT_EQ(pair.check().summary, "is not up with an address on b: Device \"eth1\" does not exist.");
    EXPECT_TRUE(pair.check().stopsRun);
}

TEST(NamedInterfaces, WhoseTrafficGoesByAnotherAreWarnedOf) {
    PairOver pair;
    pair.over(1).interface = "enp5s0";
    EXPECT_EQ(pair.check().verdict, Verdict::Warning);
    EXPECT_EQ(pair.check().summary, "the way from b to a (10.1.0.1) begins at enp5s0");
    pair.over(1).interface = "lo";
    EXPECT_EQ(pair.check().verdict, Verdict::Passed) << "both on one machine";
}

// No run stops for what is not known, and none begins without a word of it.
TEST(NamedInterfaces, NodesOnWhichTheyCouldNotBeTriedAreNamed) {
    PairOver pair;
    pair.links[0].over.clear();  // b tells no address, to which a could connect
    pair.nodes[1].facts->interfaces = {{"eth1", "", 10'000, true, false}};
    pair.links[1].over["eth1"].error.what = "sh: 1: ip: not found";
    const auto checks = pair.checks();
    ASSERT_EQ(checks.size(), 2U);
    EXPECT_EQ(checks[0].summary, "1 connections made");
    EXPECT_EQ(checks[1].summary, "could not be tried on b: sh: 1: ip: not found");
    EXPECT_EQ(checks[1].verdict, Verdict::Warning);
    EXPECT_EQ(checks[1].evidence, "b: sh: 1: ip: not found");
    pair.nodes[1].facts->interfaces.clear();
    pair.links[1].over.clear();
    EXPECT_EQ(pair.check().summary, "could not be tried on b");
    EXPECT_EQ(pair.check().verdict, Verdict::Warning);
}

TEST(NamedInterfaces, WhyTheyCouldNotBeTriedIsInTheNodesWords) {
    PairOver pair;
    pair.over(1).state = Connection::State::Untried;
    pair.over(1).said = "timeout: failed to run command 'bash': No such file or directory";
    pair.links[0].listener = {0, "", true};
    ASSERT_EQ(pair.checks().size(), 2U);
    EXPECT_EQ(pair.checks()[1].summary,
              "could not be tried on a, b: it has none of python3, perl and socat to listen on a port");
    EXPECT_EQ(pair.checks()[1].evidence,
              "a: it has none of python3, perl and socat to listen on a port\n"
              "b: timeout: failed to run command 'bash': No such file or directory");
    pair.links[0].listener.noTool = false;
    EXPECT_THAT(pair.checks()[1].summary, HasSubstr(" on a, b: no port is free"));
    pair.links[0].error.what = "did not answer within 40 s";
    EXPECT_THAT(pair.checks()[1].summary, HasSubstr(" on a, b: did not answer within 40 s"));
    pair.nodes[0].facts.reset();
    EXPECT_THAT(pair.checks()[1].summary, HasSubstr(" on b: timeout: failed to run")) << "a was not reached";
}

TEST(NamedInterfaces, NodesSayWhyTheyHaveNoAddressThere) {
    EXPECT_THAT(runHere(interfaceScript("no such; exit 3")), HasSubstr("\"no such; exit 3\""));
    EXPECT_THAT(runHere(interfaceScript("lo")), HasSubstr("LOOPBACK"));
    const Programs without({"sh"});
    EXPECT_THAT(runHere(without.path() + interfaceScript("lo")), HasSubstr("not found"));
}

TEST(NamedInterfaces, AreReachedByIpv4BeforeIpv6) {
    NodeFacts from;
    NodeFacts to;
    from.interfaces = {{"eth1", "fd00::1/64 10.1.0.1/24", 0, true, false}};
    to.interfaces = {{"eth1", "fe80::2/64 fd00::2/64 10.1.0.2/24 10.1.0.3/24", 0, true, false}};
    EXPECT_EQ(addressOver("eth1", from, to), "10.1.0.2") << "they share both networks";
    from.interfaces.front().addresses = "10.7.0.1/24";
    EXPECT_EQ(addressOver("eth1", from, to), "10.1.0.2") << "they share none";
    from.interfaces.front().addresses = "fe80::1/64 fd00::1/64";
    EXPECT_EQ(addressOver("eth1", from, to), "fd00::2") << "fe80::/64 is on every link";
}

TEST(NamedInterfaces, AreReachedByAnAddressOfACommonNetwork) {
    NodeFacts from;
    NodeFacts to;
    from.interfaces = {{"eth1", "10.1.0.1/24 fd00::1/64", 0, true, false}};
    to.interfaces = {{"eth1", "fe80::2/64 192.168.7.2/24 fd00::2/64", 0, true, false}};
    EXPECT_EQ(addressOver("eth1", from, to), "fd00::2");
    EXPECT_EQ(addressOver("eth1", to, from), "fd00::1");
    from.interfaces.front().addresses = "10.1.0.1/24";
    EXPECT_EQ(addressOver("eth1", from, to), "192.168.7.2") << "there may be a router";
    to.interfaces.front().addresses = "10.8.0.6";
    EXPECT_EQ(addressOver("eth1", from, to), "10.8.0.6") << "one end of a tunnel";
    to.interfaces.front().addresses = "fe80::2/64 $(reboot)";
    EXPECT_EQ(addressOver("eth1", from, to), std::nullopt);
    EXPECT_EQ(addressOver("eth2", from, to), std::nullopt);
}

}  // namespace
}  // namespace dlperf::cluster
