// SPDX-License-Identifier: Apache-2.0
#include "tests/net/net_lab.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace dlperf::test {
namespace {

// A range that is nobody's (RFC 5737).
std::string addressOf(int socket) {
    return fmt::format("192.0.2.{}", socket + 1);
}

std::string nameOf(int node) {
    return {static_cast<char>('a' + node)};
}

}  // namespace

OwnNetwork::OwnNetwork() : before_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
    EXPECT_EQ(::unshare(CLONE_NEWNET), 0) << std::strerror(errno);
}

OwnNetwork::~OwnNetwork() {
    EXPECT_EQ(::setns(before_.get(), CLONE_NEWNET), 0) << std::strerror(errno);
}

NetLab::NetLab(int nodes, const NetLabOptions& options) {
    ::mkdir("/run/sshd", 0755);
    writeSshFiles(nodes);
    wires_.plug(makeTap());
    EXPECT_EQ(std::system(("ip link set lo up; " + upCommand(addressOf(desk), Wires::macOf(desk))).c_str()),
              0);
    for (int node = 0; node < nodes; ++node) {
        const std::string name = nameOf(node);
        const auto home = folder_.path() / (options.sharedHome ? "home" : "home-" + name);
        machines_.push_back(std::make_unique<Machine>(Machine::Options{
            name, home, folder_.path() / "sshd_config", folder_.path() / ("sshd-" + name + ".log")}));
        const int socket = socketOf(node);
        wires_.plug(machine(node).connect(addressOf(socket), Wires::macOf(socket)));
        machine(node).startSshd();
    }
}

void NetLab::writeSshFiles(int nodes) const {
    const std::string here = folder_.path().string();
    makeKey(folder_, "host_key", "ed25519");
    makeKey(folder_, "id_ed25519", "ed25519");
    folder_.write("authorized_keys", publicKey(folder_, "id_ed25519") + "\n");
    folder_.write("sshd_config",
                  fmt::format("Port 22\nHostKey {0}/host_key\nPidFile none\n"
                              "AuthorizedKeysFile {0}/authorized_keys\nUsePAM no\nStrictModes no\n"
                              "PermitRootLogin yes\nSubsystem sftp internal-sftp\nLogLevel VERBOSE\n",
                              here));
    std::string config;
    std::string known;
    for (int node = 0; node < nodes; ++node) {
        const std::string address = addressOf(socketOf(node));
        config += fmt::format("Host {}\n  HostName {}\n", nameOf(node), address);
        known += fmt::format("{} {}\n", address, publicKey(folder_, "host_key"));
    }
    folder_.write("known_hosts", known);
    folder_.write("config", fmt::format("{1}Host *\n  User root\n  IdentityFile {0}/id_ed25519\n"
                                        "  UserKnownHostsFile {0}/known_hosts\n"
                                        "  GlobalKnownHostsFile /dev/null\n"
                                        "  ServerAliveInterval 4\n",
                                        here, config));
}

std::filesystem::path NetLab::cluster(const Json& changes) const {
    Json nodes = Json::array();
    for (const auto& machine : machines_) {
        Json node{{"name", machine->name()}, {"host", machine->name()}, {"devices", 1}};
        node.update(changes);
        nodes.push_back(std::move(node));
    }
    folder_.write("cluster.json", Json{{"name", "net"}, {"nodes", nodes}}.dump());
    return folder_.path() / "cluster.json";
}

void NetLab::layToDesk(int node, const Line& line) {
    layFromDesk(node, line);
    layBack(node, line);
}

void NetLab::layToPeers(int node, const Line& line) {
    for (int peer = 0; peer < nodes(); ++peer) {
        wires_.lay(socketOf(node), socketOf(peer), line);
        wires_.lay(socketOf(peer), socketOf(node), line);
    }
}

void NetLab::layOneWay(int from, int to, const Line& line) {
    wires_.lay(socketOf(from), socketOf(to), line);
}

void NetLab::killForGood(int node) {
    layToDesk(node, {.cut = true});
    layToPeers(node, {.cut = true});
    machine(node).killAll();
}

std::filesystem::path NetLab::remoteLog(const run::RunState& run, int node) const {
    return machines_[static_cast<std::size_t>(node)]->home() / "dlperf/runs" / run.id / nameOf(node) / "log";
}

std::string NetLab::remoteLogThere(const run::RunState& run, int node) const {
    return "/root/dlperf/runs/" + run.id + "/" + nameOf(node) + "/log";
}

}  // namespace dlperf::test
