// SPDX-License-Identifier: Apache-2.0
// A laboratory of real nodes: machines in namespaces with a real sshd each, wires that can be made bad, and
// at its desk a run::Lab whose dlperf reaches them over SSH as it would any cluster.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/net/machine.h"
#include "tests/net/wires.h"
#include "tests/run/lab.h"
#include "tests/support/own_ssh.h"

namespace dlperf::test {

// The calling thread, and what it starts, stands in a network of its own until the end of the scope.
class OwnNetwork {
public:
    OwnNetwork();
    ~OwnNetwork();
    OwnNetwork(const OwnNetwork&) = delete;
    OwnNetwork& operator=(const OwnNetwork&) = delete;

private:
    Descriptor before_;
};

struct NetLabOptions {
    bool sharedHome = false;
};

class NetLab {
    Folder folder_;
    OwnSsh ssh_{folder_};
    OwnNetwork network_;
    Wires wires_;
    std::vector<std::unique_ptr<Machine>> machines_;

public:
    explicit NetLab(int nodes, const NetLabOptions& options = {});

    run::Lab lab;  // ends first: it looks for what was left on the machines while they still run

    // The machines are a, b, … and count from 0.
    [[nodiscard]] int nodes() const { return static_cast<int>(machines_.size()); }
    [[nodiscard]] Machine& machine(int node) { return *machines_[static_cast<std::size_t>(node)]; }
    // The node list with all of them; `changes` go into each.
    [[nodiscard]] std::filesystem::path cluster(const Json& changes = Json::object()) const;

    // Port 22 of a machine, for everybody.
    void closeSsh(int node) { wires_.closePort(socketOf(node), 22); }
    void openSsh(int node) { wires_.openPort(socketOf(node), 22); }
    // From the desk to a machine, back, and both.
    void layFromDesk(int node, const Line& line) { wires_.lay(desk, socketOf(node), line); }
    void layBack(int node, const Line& line) { wires_.lay(socketOf(node), desk, line); }
    void layToDesk(int node, const Line& line);
    // Between a machine and all others, both ways; the desk still reaches it.
    void layToPeers(int node, const Line& line);
    // From one machine to another, this way only.
    void layOneWay(int from, int to, const Line& line);
    // Nothing comes from it or gets there any more, and all that ran on it is gone.
    void killForGood(int node);

    [[nodiscard]] std::filesystem::path remoteLog(const run::RunState& run, int node) const;
    // As the machine itself names it.
    [[nodiscard]] std::string remoteLogThere(const run::RunState& run, int node) const;

private:
    static constexpr int desk = 0;  // its socket
    [[nodiscard]] static int socketOf(int node) { return node + 1; }
    void writeSshFiles(int nodes) const;
};

}  // namespace dlperf::test
