// SPDX-License-Identifier: Apache-2.0
// Whether nodes reach each other: every node listens on a free port for a moment, and real connections are
// made to it. The words that a listener says tell who answered: an address may lead to another machine, or
// back to where it is asked.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/checks.h"

namespace dlperf::cluster {

// Where the kernel of the node says which ports are its own and which are in use.
struct PortFiles {
    std::string ephemeral = "/proc/sys/net/ipv4/ip_local_port_range";
    std::string used = "/proc/net/tcp";
    std::string used6 = "/proc/net/tcp6";
};
// Prints a TCP port that nothing listens on or is bound to: outside the ephemeral range if there is one, else
// inside; prints nothing if there is none at all.
[[nodiscard]] std::string freePortScript(unsigned seed, const PortFiles& files = {});

// What a node's listener said of itself.
struct Listener {
    int port = 0;         // 0: there is none
    std::string pid;      // of what ends it
    bool noTool = false;  // none of the programs that can listen is there
};

// A node as another one is to reach it.
struct Peer {
    std::string name;
    std::string address;
    int port = 0;  // of its listener; 0: only the way there is asked
    std::string word;
    int sshPort = 0;  // tried as well; 0: not
};

struct Connection {
    enum class State { Reached, WrongNode, Failed, Untried };
    std::string from;
    std::string to;
    std::string address;
    int port = 0;
    State state = State::Untried;
    std::string said;       // why not: "Connection refused"
    std::string interface;  // that the way there begins at; may be empty
    bool sshTried = false;
    int sshCode = 0;
    std::string sshSaid;
};

// Leaves a listener behind that says `word` to whoever connects and ends by itself after two minutes. It is
// python3, perl or socat, whichever is there and works.
[[nodiscard]] std::string listenScript(const std::string& word, unsigned seed);
[[nodiscard]] Listener parseListener(std::string_view printed);
[[nodiscard]] std::string endListenerScript(const std::string& pid);

// Connects to all peers, many at once; each has 5 s. `node` is the one that does; SSH is tried after its
// setup.
[[nodiscard]] std::string connectScript(const std::vector<Peer>& peers, const Node& node = {});
// One link a peer, in their order. What the node did not answer for was not tried.
[[nodiscard]] std::vector<Connection> parseLinks(const std::string& from, const std::vector<Peer>& peers,
                                                 std::string_view printed);

// What a node found of the others over one interface.
struct LinksOver {
    std::vector<Connection> links{};
    // Why it has no address there or could not be asked, in the node's own words; empty where all is well.
    Error error{};
};

// What one node could do for the others, and what it found of them.
struct NodeLinks {
    Listener listener;
    std::vector<Connection> links;
    Error error{};                            // why it could not be asked; empty where it could
    std::map<std::string, LinksOver> over{};  // by interface that was asked for
};

// `links` is by node, in the order of `nodes`. Nodes that were not reached are passed over.
[[nodiscard]] std::vector<Check> checkLinks(const std::vector<NodeAnswer>& nodes,
                                            const std::vector<NodeLinks>& links);

}  // namespace dlperf::cluster
